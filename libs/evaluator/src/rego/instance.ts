import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { systemCalls } from './system-calls';

/** The types of DOM declare it, those of Node do not. */
declare const WebAssembly: {
  readonly compile: (bytes: Uint8Array) => Promise<object>;
  readonly Module: { readonly imports: (module: object) => readonly { readonly name: string }[] };
  readonly instantiate: (module: object, imports: object) => Promise<{ readonly exports: unknown }>;
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly _initialize: () => void;
  /** The address of a new request of so many bytes. */
  readonly alloc: (bytes: number) => number;
  /** Works on the request, and returns the size of the answer (bytes). */
  readonly run: () => number;
  /** The address of the answer. */
  readonly answer: () => number;
}

/** Sends a request, which is JSON, and returns the answer, which is JSON too. It throws if the instance cannot be used any more. */
export type Instance = { readonly ask: (request: string) => string; readonly memoryBytes: () => number };

/** Starts OPA, which `tools/rego` compiled to WebAssembly, without files, network and environment. Takes a second of processor time. */
export async function startInstance(): Promise<Instance> {
  const compressed = await readFile(join(__dirname, '../../opa.wasm.br'));
  const module = await WebAssembly.compile(await promisify(brotliDecompress)(compressed));
  let memory: Exports['memory'] | null = null;
  const calls = systemCalls(() => memory?.buffer ?? new ArrayBuffer(0));
  const names = WebAssembly.Module.imports(module).map(({ name }) => name);
  const imports = Object.fromEntries(names.map((name) => [name, calls(name)]));
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
  const { _initialize, alloc, run, answer, memory: own } = exports as Exports;
  memory = own;
  _initialize();
  return {
    ask: (request) => {
      const bytes = Buffer.from(request);
      const at = alloc(bytes.length) >>> 0;
      new Uint8Array(own.buffer, at, bytes.length).set(bytes);
      const size = run() >>> 0;
      return Buffer.from(own.buffer, answer() >>> 0, size).toString();
    },
    memoryBytes: () => own.buffer.byteLength,
  };
}
