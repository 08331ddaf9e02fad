// Runs a WebAssembly program made for WASI that only prints: node run_wasm.mjs PROGRAM [ARGUMENT...]
import { readFileSync, writeSync } from 'node:fs';

const args = process.argv.slice(2).map(text => Buffer.from(text + '\0'));
let memory;
const view = () => new DataView(memory.buffer);
const put = (at, value) => view().setUint32(at, value, true);
const get = at => view().getUint32(at, true);

const wasi = {
  args_sizes_get(count, size) { put(count, args.length); put(size, Buffer.concat(args).length); return 0; },
  args_get(pointers, text) {
    for (const [i, bytes] of args.entries()) {
      put(pointers + 4 * i, text);
      new Uint8Array(memory.buffer).set(bytes, text);
      text += bytes.length;
    }
    return 0;
  },
  fd_write(fd, pieces, count, written) {
    let all = 0;
    for (let i = 0; i < count; i++) all += writeSync(fd, new Uint8Array(memory.buffer, get(pieces + 8 * i), get(pieces + 8 * i + 4)));
    put(written, all);
    return 0;
  },
  fd_fdstat_get(fd, at) { new Uint8Array(memory.buffer, at, 24).fill(0); view().setUint8(at, 2); return 0; }, // a terminal
  proc_exit(code) { process.exit(code); },
};
const none = () => 52; // not supported
const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const imports = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, wasi[name] ?? none]));
const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
memory = exports.memory;
exports._start();
