// Elements without a framework: make("button", {class: "big", onclick: ...}, "text", otherElement)

const SVG = "http://www.w3.org/2000/svg";

export const make = (name, attributes, ...children) => build(document.createElement(name), attributes, children);
export const svg = (name, attributes, ...children) => build(document.createElementNS(SVG, name), attributes, children);
export const $ = (id) => document.getElementById(id);

function build(element, attributes = {}, children = []) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Puts `children` in place of what is there, unless `key` says that nothing has changed. */
export function fill(element, key, children) {
  const told = JSON.stringify(key);
  if (element.dataset.shown === told) return;
  element.dataset.shown = told;
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
  element.replaceChildren(...[children()].flat().filter((child) => child !== null && child !== undefined));
  if (focused) element.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}
