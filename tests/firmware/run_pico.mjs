// A whole Pico on MicroPython: node run_pico.mjs MICROPYTHON.MJS FIRMWARE STAND_INS empty|installed. Standard input and
// output are its USB cable (not waiting for bytes). An empty one sits at MicroPython's prompt. What is copied to it
// stays when it is reset, and a main.py is run as on the real one.
import fs from "node:fs";
import path from "node:path";
import { addFile, addFolder, start } from "./wasm.mjs";

const [interpreter, firmware, standIns, state] = process.argv.slice(2);
const [ENTER_RAW, LEAVE_RAW, ASK_FOR_RAW_PASTE, FORCED_EXIT] = [1, 2, 5, 0x100];
const chunk = Buffer.alloc(4096);
const pause = new Int32Array(new SharedArrayBuffer(4));
let flash = new Map();
let incoming = [];
let outgoing = [];
let raw = false;

function send() {
  while (outgoing.length) {
    try {
      outgoing.splice(0, fs.writeSync(1, Buffer.from(outgoing)));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function hasByte() {
  send();
  if (incoming.length) return true;
  try {
    incoming.push(...chunk.subarray(0, fs.readSync(0, chunk)));
  } catch (error) {
    if (error.code !== "EAGAIN" && error.code !== "EIO") throw error;
    Atomics.wait(pause, 0, 0, 1);
  }
  return incoming.length > 0;
}

function nextByte() {
  while (!hasByte());
  return incoming.shift();
}

// Whoever asks for the "raw paste mode" (05 A 01) is told that there is none: in WebAssembly it would wait for ever.
function nextCharacter() {
  const byte = nextByte();
  if (byte === ENTER_RAW || byte === LEAVE_RAW) raw = byte === ENTER_RAW;
  if (byte !== ASK_FOR_RAW_PASTE) return byte;
  nextByte();
  nextByte();
  outgoing.push(...Buffer.from("R\0"));
  return nextCharacter();
}

// MicroPython in WebAssembly takes its standard input for always ready, which a cable is not.
const select = { POLLIN: 1, poll: () => ({ register: () => null, poll: () => hasByte() }) };

// Emscripten numbers its errors otherwise than MicroPython on a Pico, where 2 is a missing file.
const USUAL_ERRORS = `
import builtins, os
def usual(function):
    def wrapped(*arguments):
        try:
            return function(*arguments)
        except OSError:
            raise OSError(2)
    return wrapped
os.stat, builtins.open = usual(os.stat), usual(open)
`;

async function boot() {
  const micropython = await start(interpreter, { stdin: nextByte, stdout: (bytes) => outgoing.push(...bytes) });
  addFolder(micropython, standIns, "/lib");
  for (const [name, content] of flash) addFile(micropython, name, content);
  micropython.registerJsModule("select", select);
  micropython.runPython(USUAL_ERRORS);
  return micropython;
}

function files(micropython, folder) {
  return micropython.FS.readdir(folder).flatMap((name) => {
    const file = folder + name;
    if (name.startsWith(".") || ["/dev", "/home", "/lib", "/proc", "/tmp"].includes(file)) return [];
    if (micropython.FS.isDir(micropython.FS.stat(file).mode)) return files(micropython, `${file}/`);
    return [[file, micropython.FS.readFile(file)]];
  });
}

if (state === "installed") {
  for (const name of fs.readdirSync(firmware).filter((name) => name.endsWith(".py")))
    flash.set(name === "main.py" ? "/main.py" : `/firmware/${name}`, fs.readFileSync(path.join(firmware, name)));
}
for (;;) {
  const micropython = await boot();
  if (!raw && flash.has("/main.py")) micropython.runPython(new TextDecoder().decode(flash.get("/main.py")));
  micropython.replInit();
  if (raw) micropython.replProcessChar(ENTER_RAW);
  while (micropython.replProcessChar(nextCharacter()) !== FORCED_EXIT);
  flash = new Map(files(micropython, "/"));
  // After a soft reset from the raw prompt it stays there, and runs nothing.
  raw &&= !micropython.pyimport("machine").resetting;
  outgoing.push(...Buffer.from("MPY: soft reboot\r\n"));
}
