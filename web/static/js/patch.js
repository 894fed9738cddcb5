// JSON Patch (RFC 6902), as far as the server speaks it: add, replace and remove.

/** The state after these operations; what has not changed is shared with the one before. */
export const patched = (state, patch) => patch.reduce((before, { op, path, value }) => changed(before, parts(path), op, value), state);

const parts = (path) => path.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

function changed(outer, [key, ...inner], op, value) {
  const copy = Array.isArray(outer) ? [...outer] : { ...outer };
  if (inner.length > 0) copy[key] = changed(outer[key], inner, op, value);
  else if (op !== "remove") copy[key === "-" ? copy.length : key] = value;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy;
}
