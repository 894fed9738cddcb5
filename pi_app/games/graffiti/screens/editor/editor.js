// What the profile editor shows of Graffiti: its sections, and what is measured on its boards.

import { bonusPanel, paintPanel, permitsPanel, startPanel, trackPanel } from "./tiles.js";
import { graffitiPanel, tunnelPanel } from "./walls.js";

export { areas } from "./areas.js";
export { normalised } from "./profile.js";

export const sections = {
  tunnel: tunnelPanel,
  graffiti: (place, work) => graffitiPanel(place, work, "graffiti"),
  special: (place, work) => graffitiPanel(place, work, "special"),
  permits: permitsPanel,
  bonus: bonusPanel,
  paint: paintPanel,
  start: startPanel,
  track: trackPanel,
};
