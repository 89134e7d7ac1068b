// Builds the documentation into dist/docs and checks links, anchors, files that pages load, and the scripts, files, settings and tests that pages name.
//   npm run docs          builds
//   npm run check:docs    builds and checks; exit code 1 on any problem
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vitepress';
import { read, root } from '../common/root.ts';
import { decisionProblems, documents, missingTests, unnamedSettings, wrongNames } from './docs/names.ts';
import { linkProblems, siteProblems } from './docs/site.ts';
import { list } from './report.ts';
import { testsOf } from './specification/titles.ts';

const CONFIGURATION = 'docs/operating/configuration.md';
const DECISIONS = 'docs/decisions';
const ARCHITECTURE = 'docs/architecture.md';
const titles = (file: string) => (existsSync(join(root, file)) ? testsOf(read(file)).map((path) => path.at(-1)) : null);

await build(join(root, 'docs')); // stops at a dead link

const problems = [
  ...documents(root).flatMap((file) =>
    wrongNames(read(file), root, dirname(file)).map((problem) => `${file}: ${problem}`),
  ),
  ...unnamedSettings(read(CONFIGURATION), root).map((name) => `${CONFIGURATION} does not name ${name}`),
  ...missingTests(read(ARCHITECTURE), titles).map((problem) => `${ARCHITECTURE}: ${problem}`),
  ...decisionProblems(
    readdirSync(join(root, DECISIONS)).filter((file) => /^\d/.test(file)),
    read(`${DECISIONS}/README.md`),
  ).map((problem) => `${DECISIONS}: ${problem}`),
  ...siteProblems(join(root, 'dist/docs')),
  ...linkProblems(join(root, 'apps/web/dist/documents')).map(
    (problem) => `documents that the service serves: ${problem}`,
  ),
];
list(problems, 'in the documentation');
