// Files for the host alone: a plain link would send no token.

import { askPicture } from "../api.js";

const TAKEN_MS = 5000;

/** Has the browser keep what lies there. Throws Refused. */
export async function download(path, name) {
  const address = await askPicture(path);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), TAKEN_MS);
}
