// The module that evaluates Rego: OPA behind the program in `engine`, as WebAssembly, in one compressed file that the evaluator loads.
//   npm run check:rego                checks the digest of the file
//   npm run check:rego -- --build     builds the module again, and compares it byte for byte
//   npm run check:rego -- --update    builds the module and writes the file
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { list } from '../ci/report.ts';
import { must } from '../common/command.ts';
import { root } from '../common/root.ts';
import type { Notice } from '../release/licences.ts';

const engine = join(root, 'tools/rego/engine');

const file = join(root, 'libs/evaluator/opa.wasm.br');
const noticesFile = join(root, 'libs/evaluator/opa.notices.json');
const digestFile = join(root, 'libs/evaluator/opa.wasm.sha256');
/** The memory of an instance at most, in pages of 64 KiB: 256 MiB. */
const PAGES_MAX = 4_096;
const MEMORY_SECTION = 5;

const env = { ...process.env, GOOS: 'wasip1', GOARCH: 'wasm', GOTOOLCHAIN: 'local', GOFLAGS: '', GOWASM: '' };
const go = (...args: string[]) => must('go', args, { cwd: engine, env }).trim();

/** The licences of the modules that the program is made of, and of Go. */
function notices(): Notice[] {
  const modules = go(
    'list',
    '-deps',
    '-f',
    '{{with .Module}}{{if .Version}}{{.Path}}@{{.Version}} {{.Dir}}{{end}}{{end}}',
    '.',
  );
  const folders = [
    ...new Set(modules.split('\n').filter((line) => line !== '')),
    `${go('env', 'GOVERSION')} ${go('env', 'GOROOT')}`,
  ];
  return folders.toSorted().map((line) => {
    const [id = '', folder = ''] = line.split(' ');
    const files = readdirSync(folder).filter(
      (name) => /^(licen[cs]e|copying|notice)/i.test(name) && !/\.go$/.test(name),
    );
    const text = files
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
      .join('\n\n');
    return { id, licence: licenceOf(text), text };
  });
}

/** The names of modules' licences are in their texts alone. */
function licenceOf(text: string): string | null {
  const words = text.replace(/\s+/g, ' ');
  if (words.includes('Apache License Version 2.0')) return 'Apache-2.0';
  if (words.includes('Permission is hereby granted, free of charge')) return 'MIT';
  if (words.includes('Permission to use, copy, modify, and/or distribute')) return 'ISC';
  if (!words.includes('Redistribution and use in source and binary forms')) return null;
  return /Neither the name|nor the names|names of its contributors/.test(words) ? 'BSD-3-Clause' : 'BSD-2-Clause';
}

/** Compiles the program. Paths, time and machine do not change its bytes; the version of Go, which `go.mod` names, does. */
function compiled(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'rego-'));
  try {
    const out = join(folder, 'opa.wasm');
    const options = ['-buildmode=c-shared', '-trimpath', '-buildvcs=false', '-ldflags=-s -w'];
    must('go', ['build', ...options, '-o', out, '.'], { cwd: engine, env });
    return withLimit(readFileSync(out));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Go names no maximum of the memory. This gives the memory section of a module one. */
function withLimit(module: Buffer): Buffer {
  for (let at = 8; at < module.length;) {
    const size = unsigned(module, at + 1);
    const end = size.next + size.value;
    if (module[at] === MEMORY_SECTION) {
      const initial = unsigned(module, size.next + 2);
      if (module[size.next] !== 1 || module[size.next + 1] !== 0 || initial.next !== end) break;
      const limits = [1, 1, ...leb128(initial.value), ...leb128(PAGES_MAX)];
      const section = Buffer.from([MEMORY_SECTION, ...leb128(limits.length), ...limits]);
      return Buffer.concat([module.subarray(0, at), section, module.subarray(end)]);
    }
    at = end;
  }
  throw new Error('the module has no memory without a maximum');
}

function unsigned(bytes: Buffer, from: number): { value: number; next: number } {
  let value = 0;
  for (let next = from, factor = 1; ; next += 1, factor *= 128) {
    const byte = bytes.readUInt8(next);
    value += (byte & 127) * factor;
    if (byte < 128) return { value, next: next + 1 };
  }
}

function leb128(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb128(value >>> 7)];
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const problems: string[] = [];
if (process.argv.includes('--update')) {
  const module = compiled();
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: module.length };
  writeFileSync(file, brotliCompressSync(module, { params }));
  writeFileSync(digestFile, `${digestOf(module)}\n`);
  writeFileSync(noticesFile, `${JSON.stringify(notices(), null, 2)}\n`);
}
const module = brotliDecompressSync(readFileSync(file));
if (`${digestOf(module)}\n` !== readFileSync(digestFile, 'utf8')) problems.push(`${file} has another digest`);
if (process.argv.includes('--build') && !compiled().equals(module))
  problems.push(`${file} is not what the program builds to`);
list(problems, 'of the module for Rego');
