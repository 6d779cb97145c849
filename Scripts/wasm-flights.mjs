// Gives the client in WebAssembly what simulated flights gave to the native one, and says what differs.
//
//   node Scripts/wasm-flights.mjs CONTRAIL.wasm.gz FOLDER [--sabotage time|file|answer]
//
// FOLDER has a tape of each flight, as `contrail-simulate --tapes` writes it: the calls of the client, each operation on its files with its
// result, and its actions. The client must perform the same operations with the same bytes (which are the log), send the same requests, set
// the same timers, and tell the same. A process that was killed in the middle of an operation is killed there.
//
// --sabotage changes each of the first 20 flights a little: the time of an answer by a millisecond, a bit of a written byte, or the size of
// an answer by a byte. The exit status is then 0 only if every one is found to differ.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const [modulePath, folder, option, sabotage] = process.argv.slice(2);
if (option && option !== "--sabotage") throw new Error(`unknown option ${option}`);
const module = await WebAssembly.compile(gunzipSync(readFileSync(modulePath)));
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const mathematics = {
  acos: Math.acos, asin: Math.asin, atan: Math.atan, atan2: Math.atan2, atanh: Math.atanh, cbrt: Math.cbrt, cos: Math.cos,
  exp: Math.exp, fmod: (x, y) => x % y, hypot: Math.hypot, log: Math.log, pow: Math.pow, sin: Math.sin, tan: Math.tan,
};

/** The process of the flight ended here. */
class Killed extends Error {}
/** The client does something else than natively. */
class Differs extends Error {}

/** One process: an instance of the module, over the operations that the tape has for it. */
class Life {
  /** @param {any[][]} files the operations of the life, in order */
  constructor(files) {
    this.files = files;
    this.next = 0;
    this.open = new Map();
    this.lastFile = 0;
    this.prepared = new Uint8Array();
    this.error = "";
    this.instance = new WebAssembly.Instance(module, { env: { ...mathematics, ...this.imports() } });
    this.exports = this.instance.exports;
  }

  get memory() { return new Uint8Array(this.exports.memory.buffer); }

  text(pointer, count) { return decoder.decode(this.memory.subarray(pointer, pointer + count)); }

  /** Takes the next operation of the tape, which must be this one. */
  take(name, path, numbers = [], written = null) {
    const expected = this.files[this.next];
    if (!expected) {
      if (this.isCut) throw new Killed();
      throw new Differs(`${name} ${path} [${numbers}] natively isn't done`);
    }
    this.next++;
    const [, expectedName, expectedPath, expectedNumbers, expectedBytes, result, message] = expected;
    if (name !== expectedName || path !== expectedPath || numbers.join() !== expectedNumbers.join()) {
      throw new Differs(`${name} ${path} [${numbers}] is natively ${expectedName} ${expectedPath} [${expectedNumbers}]`);
    }
    if (written !== expectedBytes) {
      const [ours, native] = [written, expectedBytes].map((bytes) => Buffer.from(bytes ?? "", "base64").toString());
      const at = [...ours].findIndex((character, index) => character !== native[index]);
      throw new Differs(`${name} ${path}: '${ours.slice(at - 60, at + 60)}' is natively '${native.slice(at - 60, at + 60)}'`);
    }
    this.error = message ?? "";
    return result;
  }

  prepare(bytes) {
    this.prepared = bytes;
    return bytes.length;
  }

  imports() {
    const path = (pointer, count) => this.text(pointer, count);
    const file = (number) => this.open.get(number);
    const opened = (result, path) => {
      if (result < 0) return result;
      this.open.set(++this.lastFile, path);
      return this.lastFile;
    };
    return {
      fs_kind: (p, n) => this.take("kind", path(p, n)),
      fs_names: (p, n) => {
        const names = this.take("names", path(p, n));
        if (typeof names === "number") return names;
        return this.prepare(encoder.encode(names.split("/").filter((name) => name).map((name) => `${name}\n`).join("")));
      },
      fs_open: (p, n, mode) => opened(this.take("open", path(p, n), [mode]), path(p, n)),
      fs_size: (number) => this.take("size", file(number)),
      fs_read: (number, pointer, count, offset) => {
        const bytes = this.take("read", file(number), [count, offset]);
        if (typeof bytes === "number") return bytes;
        const read = Buffer.from(bytes, "base64");
        this.memory.set(read, pointer);
        return read.length;
      },
      fs_write: (number, pointer, count, offset) => {
        const bytes = Buffer.from(this.memory.subarray(pointer, pointer + count));
        return this.take("write", file(number), [offset], bytes.toString("base64"));
      },
      fs_truncate: (number, size) => this.take("truncate", file(number), [size]),
      fs_sync: (number) => this.take("sync", file(number)),
      fs_close: (number) => void this.open.delete(number),
      fs_rename: (p, n, q, m) => this.take("rename", `${path(p, n)}\n${path(q, m)}`),
      fs_remove: (p, n) => this.take("remove", path(p, n)),
      fs_make_directory: (p, n) => this.take("make_directory", path(p, n)),
      fs_sync_directory: (p, n) => this.take("sync_directory", path(p, n)),
      fs_lock: (p, n) => opened(this.take("lock", path(p, n)), path(p, n)),
      fs_error: () => this.prepare(encoder.encode(this.error)),
      fs_take: (pointer) => this.memory.set(this.prepared, pointer),
    };
  }

  /** Writes bytes to the scratch buffer, and returns their number. */
  put(bytes) {
    if (typeof bytes === "string") bytes = encoder.encode(bytes);
    const pointer = this.exports.scratch(bytes.length);
    this.memory.set(bytes, pointer);
    return bytes.length;
  }

  /** Returns the output of a call, with the bodies of requests. */
  result(count) {
    const output = JSON.parse(this.text(this.exports.output(), count));
    if (output.error) throw new Differs(`it refuses a call: ${output.error.message}`);
    for (const action of output.actions ?? []) {
      if (action.do !== "send") continue;
      const [offset, size] = action.body;
      const start = this.exports.bytes() + offset;
      action.body = Buffer.from(this.memory.subarray(start, start + size)).toString("base64");
      delete action.service;
      delete action.limit;
      delete action.streams;
    }
    return output.actions ?? [];
  }

  /** Makes a call of the tape, and returns the actions. */
  call([, name, now, wall, ...rest]) {
    const { exports } = this;
    switch (name) {
      case "launch": return this.result(exports.launch(now, wall));
      case "event": return this.result(exports.event(rest[0], rest[1], now, wall));
      case "change": return this.result(exports.change(this.put(JSON.stringify(rest[0])), now, wall));
      case "report": return this.result(exports.report(this.put(JSON.stringify(rest[0])), rest[1], now, wall));
      case "failed": {
        const [exchange, mask, code, message] = rest;
        return this.result(exports.failed(exchange, code, this.put(message), -1, mask, now, wall));
      }
      case "answer": {
        const [exchange, mask, status, headers, body, encoded] = rest;
        const actions = this.result(exports.head(exchange, status, this.put(JSON.stringify(headers)), now, wall));
        // In two blocks, as from a network.
        const bytes = Buffer.from(body, "base64");
        const half = bytes.length >> 1;
        for (const block of [bytes.subarray(0, half), bytes.subarray(half)]) {
          if (block.length > 0) actions.push(...this.result(exports.body(exchange, this.put(block), now, wall)));
        }
        return actions.concat(this.result(exports.end(exchange, encoded, -1, mask, now, wall)));
      }
      default: throw new Error(`unknown call ${name}`);
    }
  }
}

/** Reads a line. JSON has no number that is none: in JavaScript it becomes null. */
const parsed = (line) => JSON.parse(line.replace(/(?<=[[,])-?nan(?=[\],])/g, "null").replace(names, (name) => sameNames[name]));

/** What the simulated disk calls operations that have another name in a browser, in messages of errors. */
const sameNames = { "create failed: ": "open failed: ", "syncDirectory failed: ": "sync failed: " };
const names = /(create|syncDirectory) failed: /g;

/** Divides the lines of a tape into lives, and these into calls with what follows from each. */
function lives(lines) {
  const lives = [];
  for (const line of lines) {
    const life = lives.at(-1);
    switch (line[0]) {
      case "life": lives.push({ begin: line, files: [], calls: [], isEnded: false }); break;
      case "call": life.calls.push({ line, actions: [], timers: [], fileEnd: life.files.length }); break;
      case "end": life.isEnded = true; break;
      case "file": {
        life.files.push(line);
        if (life.calls.length > 0) life.calls.at(-1).fileEnd = life.files.length;
        break;
      }
      case "action": life.calls.at(-1).actions.push(line[1]); break;
      case "timer": life.calls.at(-1).timers.push(line[1]); break;
      default: throw new Error(`unknown line ${line[0]}`);
    }
  }
  return lives;
}

const total = { flights: 0, lives: 0, calls: 0, files: 0, written: 0, requests: 0, differs: 0 };

function fly(lines) {
  for (const { begin, files, calls } of lives(lines)) {
    // The events of one turn are one call natively.
    for (const [index, call] of calls.entries()) {
      const next = calls[index + 1];
      if (call.line[1] !== "change" || !next || !isSameTurn(call.line, next.line)) continue;
      const isAlone = call.actions.length + call.timers.length > 0 || call.fileEnd > (calls[index - 1]?.fileEnd ?? 0);
      if (!isAlone) call.line[4].endsTurn = false;
    }
    total.lives++;
    const life = new Life(files);
    life.isCut = calls.length === 0;
    try {
      life.result(life.exports.create(life.put(JSON.stringify(begin[1])), begin[2], begin[3]));
    } catch (error) {
      if (error instanceof Killed) continue;
      throw error;
    }
    let timer = null;
    let nativeTimer = null;
    // The actions that are not compared yet.
    const told = [];
    const expected = [];
    for (const [index, call] of calls.entries()) {
      const isLast = index === calls.length - 1;
      const place = `call ${index} (${call.line[1]})`;
      life.isCut = isLast;
      total.calls++;
      let actions;
      try {
        actions = life.call(call.line);
      } catch (error) {
        if (error instanceof Killed) break;
        if (error instanceof Differs) throw new Differs(`${place}: ${error.message}`);
        throw error;
      }
      if (call.line[1] === "event" && call.line[4] === 1) timer = nativeTimer = null;
      for (const action of actions) if (action.do === "timer") timer = action.at;
      for (const at of call.timers) nativeTimer = at;
      told.push(...actions.filter((action) => !["timer", "abort", "changed", "alert"].includes(action.do)));
      expected.push(...call.actions);
      while (told.length > 0 && expected.length > 0) {
        const native = expected.shift();
        const texts = [told.shift(), native].map((action) => JSON.stringify(action, sorted));
        if (texts[0] !== texts[1]) throw new Differs(`${place}: ${texts[0]} is natively ${texts[1]}`);
        if (native.do === "send") total.requests++;
      }
      if (expected.length > 0) throw new Differs(`${place}: natively follows ${JSON.stringify(expected[0])}`);
      // A process that was killed before its last actions has fewer, and natively the events of one turn are one call.
      if (isLast || isSameTurn(call.line, calls[index + 1].line)) continue;
      if (told.length > 0) throw new Differs(`${place}: ${JSON.stringify(told[0])} natively isn't done`);
      if (timer !== nativeTimer) throw new Differs(`${place}: the timer ${timer} is natively ${nativeTimer}`);
      if (life.next !== call.fileEnd) {
        throw new Differs(`${place}: natively follows ${JSON.stringify(files[life.next])?.slice(0, 200)}`);
      }
    }
    total.files += life.next;
    for (const file of files.slice(0, life.next)) if (file[1] === "write" && file[5] > 0) total.written += file[5];
  }
}

/** Whether two calls may be events of one turn of the application. */
function isSameTurn(call, next) {
  const isOfTurn = ([, name, , , kind]) => ["change", "report"].includes(name) || (name === "event" && kind !== 1);
  return isOfTurn(call) && isOfTurn(next) && call[2] === next[2] && call[3] === next[3];
}

/** Sorts the members of objects, so that texts compare. */
function sorted(_, value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Changes a flight a little. */
function spoil(lines) {
  const place = {
    time: () => lines.find((line) => line[0] === "call" && line[1] === "answer" && line[6] === 200),
    file: () => lines.findLast((line) => line[0] === "file" && line[1] === "write" && line[4]?.length > 100),
    answer: () => lines.find((line) => line[0] === "call" && line[1] === "answer" && line[6] === 200),
  }[sabotage]();
  if (!place) return false;
  switch (sabotage) {
    case "time": place[2] += 1; break;
    case "file": {
      const bytes = Buffer.from(place[4], "base64");
      bytes[bytes.length >> 1] ^= 1;
      place[4] = bytes.toString("base64");
      break;
    }
    case "answer": place[9] += 1; break;
  }
  return true;
}

const start = performance.now();
const tapes = readdirSync(folder).filter((name) => name.endsWith(".tape")).sort((a, b) => parseInt(a) - parseInt(b));
if (sabotage) tapes.splice(20);
let found = 0;
let spoilt = 0;
for (const name of tapes) {
  const lines = readFileSync(join(folder, name), "utf8").trimEnd().split("\n").map(parsed);
  if (sabotage && !spoil(lines)) continue;
  spoilt++;
  total.flights++;
  try {
    fly(lines);
  } catch (error) {
    found++;
    if (!sabotage) console.log(`${name.replace(".tape", "")}: ${error instanceof Differs ? error.message : error.stack}`);
    if (!sabotage && found >= 20) break;
  }
}
const seconds = ((performance.now() - start) / 1000).toFixed(1);
console.log(
  `wasm: ${total.flights} flights, ${total.lives} processes, ${total.calls} calls, ${total.requests} exchanges, ` +
    `${total.files} operations on files, ${total.written} bytes written; ${found} flights differ; ${seconds} s`,
);
process.exit(tapes.length > 0 && (sabotage ? spoilt > 0 && found === spoilt : found === 0) ? 0 : 1);
