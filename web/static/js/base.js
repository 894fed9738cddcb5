// On every page: the language of this device.

const select = document.getElementById("language");
select.addEventListener("change", () => {
  document.cookie = `lang=${select.value}; path=/; max-age=31536000; samesite=strict`;
  location.reload();
});
