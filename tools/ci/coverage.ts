// Checks docs/specification-coverage.md: it has each section of the specification, and each row names a test that exists.
//   npm run check:coverage        exit code 1 on any error
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from '../common/root.ts';
import { list } from './report.ts';
import { problems, read, type TestsIn } from './specification/page.ts';
import { testsOf } from './specification/titles.ts';

/** Headings of the specification whose sections have requirements. */
const SECTIONS = [
  ...['Conventions', '1', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '2.9', '2.10', '3'],
  ...['4', '4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.7', '4.8', '4.9', '5', '6', '7', '8', '9'],
];
const file = join(root, 'docs/specification-coverage.md');
const page = readFileSync(file, 'utf8');
const known = new Map<string, ReturnType<TestsIn>>();

function testsIn(path: string): ReturnType<TestsIn> {
  const spec = resolve(dirname(file), path);
  const tests =
    known.get(path) ?? (/\.spec\.ts$/.test(spec) && existsSync(spec) ? testsOf(readFileSync(spec, 'utf8')) : null);
  known.set(path, tests);
  return tests;
}

const wrong = problems(page, SECTIONS, testsIn);
list(wrong, `in ${read(page).rows.length} rows of ${known.size} specs`);
