// On every page: the language of this device.

const select = document.getElementById("language");
const choose = () => {
  document.cookie = `lang=${select.value}; path=/; max-age=31536000; samesite=strict`;
  location.reload();
};
select.addEventListener("change", choose);
if (select.value !== document.documentElement.lang) choose(); // somebody was quicker than this script

// On a phone the pages do not all fit beside each other: show at least the one we are on.
document.querySelector(".bar nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
