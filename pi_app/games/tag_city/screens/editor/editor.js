// What the profile editor shows of Tag City: its sections, places in words, and what is measured on its boards.

import { cityPanel } from "./city.js";
import { ringPanel } from "./ring.js";
import { shapesPanel } from "./shapes.js";

export { areas, lines } from "./areas.js";
export { place } from "./places.js";
export { normalised } from "./profile.js";

export const sections = {
  city: (place, work) => cityPanel(place, work, "city"),
  city_b: (place, work) => cityPanel(place, work, "city_b"),
  shapes: shapesPanel,
  hq: ringPanel,
};

/** Side B is measured where it is described. */
export const boards = (profile, measurable) => measurable.filter((board) => board !== "city_b" || profile.city_b);
