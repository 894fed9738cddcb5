// Runs board.py on MicroPython: node run_board.mjs MICROPYTHON.MJS FIRMWARE STAND_INS BOARD.PY
// Lines go in by standard input, answers come out by standard output.
import fs from "node:fs";
import { addFile, addFolder, start } from "./wasm.mjs";

const [interpreter, firmware, standIns, board] = process.argv.slice(2);
const micropython = await start(interpreter, { stdout: (bytes) => fs.writeSync(2, bytes) });
addFolder(micropython, firmware, "/firmware");
addFolder(micropython, standIns, "/lib");
addFile(micropython, "/lib/board.py", fs.readFileSync(board));
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
