// Runs board.py on MicroPython's WebAssembly build: node run_micropython.mjs MICROPYTHON.MJS FIRMWARE STAND_INS BOARD.PY
// Lines go in by standard input, answers come out by standard output.
import fs from "node:fs";
import path from "node:path";

const [interpreter, firmware, standIns, board] = process.argv.slice(2);
const { loadMicroPython } = await import(path.resolve(interpreter));
const micropython = await loadMicroPython({ heapsize: 192 * 1024, stdout: (line) => process.stderr.write(line + "\n") });

const copy = (folder, target) => {
  micropython.FS.mkdirTree(target);
  for (const name of fs.readdirSync(folder).filter((name) => name.endsWith(".py")))
    micropython.FS.writeFile(`${target}/${name}`, fs.readFileSync(path.join(folder, name)));
};
copy(firmware, "/firmware");
copy(standIns, "/lib");
micropython.FS.writeFile("/lib/board.py", fs.readFileSync(board));
const handle = micropython.pyimport("board").handle;

const chunk = Buffer.alloc(65536);
let waiting = "";
for (;;) {
  const size = fs.readSync(0, chunk);
  if (!size) break;
  waiting += chunk.toString("latin1", 0, size);
  const lines = waiting.split("\n");
  waiting = lines.pop();
  for (const line of lines) fs.writeSync(1, handle(line) + "\n");
}
