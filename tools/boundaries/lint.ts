// `npm run lint`: writes the project graph, runs ESLint on it, and fails if the boundary rule skipped itself.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';
import { makeGraph, SKIPPED } from './graph.ts';
import { root } from '../common/root.ts';

makeGraph();
const eslint = join(dirname(createRequire(import.meta.url).resolve('eslint/package.json')), 'bin/eslint.js');
const paths = process.argv.length > 2 ? process.argv.slice(2) : ['.'];
const child = spawn(process.execPath, [eslint, '--max-warnings=0', ...paths], {
  cwd: root,
  env: { ...process.env, NX_DAEMON: 'false' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let printed = '';
child.stdout.on('data', (chunk: Buffer) => {
  process.stdout.write(chunk);
  printed += chunk.toString();
});
child.on('close', (status) => {
  const skipped = printed.includes(SKIPPED);
  if (skipped) console.error('The module boundaries were not checked: nx has no project graph.');
  process.exitCode = skipped ? 1 : (status ?? 1);
});
