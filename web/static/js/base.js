// On every page: the language of this device, and the page's own link in sight where they do not all fit.

const select = document.getElementById("language");
select.addEventListener("change", () => {
  document.cookie = `lang=${select.value}; path=/; max-age=31536000; samesite=strict`;
  location.reload();
});

document.querySelector("header nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
