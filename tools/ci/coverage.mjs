// Checks docs/specification-coverage.md: it has each section of the specification, and each row names a test that exists.
//   npm run check:coverage        exit code 1 on any error
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { problems, read } from './specification/page.mjs';
import { testsOf } from './specification/titles.mjs';

/** Headings of the specification whose sections have requirements. */
const SECTIONS = [
  ...['Conventions', '1', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '2.9', '2.10', '3'],
  ...['4', '4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.7', '4.8', '4.9', '5', '6', '7', '8', '9'],
];

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const file = join(root, 'docs/specification-coverage.md');
const page = readFileSync(file, 'utf8');
const known = new Map();

function testsIn(path) {
  const spec = resolve(dirname(file), path);
  if (!known.has(path)) {
    known.set(path, spec.endsWith('.spec.ts') && existsSync(spec) ? testsOf(readFileSync(spec, 'utf8')) : null);
  }
  return known.get(path);
}

const wrong = problems(page, SECTIONS, testsIn);
for (const problem of wrong) console.log(problem);
console.log(`${read(page).rows.length} rows, ${known.size} specs, ${wrong.length} problems`);
process.exitCode = wrong.length === 0 ? 0 : 1;
