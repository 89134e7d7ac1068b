// Builds the documentation into dist/docs and checks links, anchors, files that pages load, and the scripts, files, settings and tests that pages name.
//   npm run docs          builds
//   npm run check:docs    builds and checks; exit code 1 on any problem
import { globSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vitepress';
import { read, root } from '../common/root.ts';
import { documents, missingTests, sectionProblems, unnamedSettings, wrongNames } from './docs/names.ts';
import { linkProblems } from './docs/site.ts';
import { list } from './report.ts';

const CONFIGURATION = 'docs/operating/configuration.md';
const DECISIONS = 'docs/decisions';
const COVERAGE = 'docs/specification-coverage.md';
/** Files that set settings of the service. */
const STARTS = [
  'Dockerfile',
  'docker-compose.yml',
  ...globSync('deploy/systemd/assurance{,-backup}.service', { cwd: root }),
];
const SITE = join(root, 'dist/docs');
/** Pages with faults, and how many the checks find in each. */
const PLANTED = {
  names: '`npm run nothing`, [a](docs/none.md), `libs/none`, ASSURANCE_NONE',
  tests: '| a | `apps/e2e/src/deploy/promises.spec.ts`: is gone |\n| b | [none]: is gone |',
  links: '<a href="/none">x</a><a href="/#none">x</a><script src="https://example.com/x.js"></script>',
};

const decisions = readdirSync(join(root, DECISIONS))
  .filter((file) => /^\d/.test(file))
  .sort();

await build(join(root, 'docs')); // stops at a dead link
const index = read('dist/docs/index.html');
writeFileSync(join(SITE, 'planted.html'), PLANTED.links);
const [planted, links] = [true, false].map((isPlanted) =>
  linkProblems(SITE).filter((problem) => problem.startsWith('planted.html') === isPlanted),
) as [string[], string[]];
rmSync(join(SITE, 'planted.html'));

const problems = [
  ...[...documents(), ...STARTS].flatMap((file) =>
    wrongNames(read(file), dirname(file)).map((problem) => `${file}: ${problem}`),
  ),
  ...documents()
    .filter((file) => !index.includes(`href="/${file.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '')}"`))
    .map((file) => `no link of the first page leads to ${file}: add it to the sidebar`),
  ...unnamedSettings(read(CONFIGURATION)).map((name) => `${CONFIGURATION} does not name ${name}`),
  ...missingTests(read('docs/architecture.md')).map((problem) => `docs/architecture.md: ${problem}`),
  ...[...missingTests(read(COVERAGE), dirname(COVERAGE)), ...sectionProblems(read(COVERAGE))].map(
    (problem) => `${COVERAGE}: ${problem}`,
  ),
  ...decisions
    .filter((file) => !read(`${DECISIONS}/README.md`).includes(`](${file})`))
    .map((file) => `${DECISIONS}: the index does not list ${file}`),
  ...decisions
    .filter((file, i) => decisions[i - 1]?.slice(0, 4) === file.slice(0, 4))
    .map((file) => `${DECISIONS}: ${file} has a number that another decision has`),
  ...links,
  ...linkProblems(join(root, 'apps/web/dist')).map((problem) => `pages that the service serves: ${problem}`),
];
const missed = [wrongNames(PLANTED.names), missingTests(PLANTED.tests), planted].map(({ length }) => length);
if (String(missed) !== '4,2,3') problems.push(`the checks find ${missed} of 4, 2 and 3 planted faults`);
list(problems, 'in the documentation');
