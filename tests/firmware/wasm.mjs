// MicroPython's WebAssembly build with files in it, for the runners beside this file.
import fs from "node:fs";
import path from "node:path";

export async function start(interpreter, options) {
  const { loadMicroPython } = await import(path.resolve(interpreter));
  return await loadMicroPython({ heapsize: 192 * 1024, linebuffer: false, ...options });
}

export function addFile(micropython, target, content) {
  micropython.FS.mkdirTree(path.posix.dirname(target));
  micropython.FS.writeFile(target, content);
}

export function addFolder(micropython, folder, target) {
  for (const name of fs.readdirSync(folder).filter((name) => name.endsWith(".py")))
    addFile(micropython, `${target}/${name}`, fs.readFileSync(path.join(folder, name)));
}
