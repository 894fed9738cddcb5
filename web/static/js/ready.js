// On every page: what its scripts listen to may be tapped once all of them have come and made themselves ready.

const scripts = [...document.querySelectorAll("script[type=module]")].map(({ src }) => src);
await Promise.allSettled(scripts.filter((src) => src !== import.meta.url).map((src) => import(src)));
document.documentElement.classList.add("ready");
