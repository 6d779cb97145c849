// Prints the hash of the cells of some areas, computed by WebAssembly, where `Int` has 32 bits.
//
//   node Tests/SameBits/Polygons/run.mjs POLYGONS.wasm
import { readFileSync } from "node:fs";

const env = new Proxy({}, { get: (_, name) => Math[name] ?? (name === "fmod" ? (a, b) => a % b : undefined), has: () => true });
const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const imports = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, env[name]]));
const { exports } = new WebAssembly.Instance(module, { env: imports });
console.log(BigInt.asUintN(64, exports.cells()).toString(16));
