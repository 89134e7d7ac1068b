// @ts-check
// Prints "<passed> <failed>" of one Jest run, and appends a line for each failure to a file:
//   node tools/ci/count.mjs <file that --outputFile wrote> <exit code of Jest> <file of failures>
// A run that failed without a failed test counts as one failure: no report, no test, a process that was stopped.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const [file = '', code, list = ''] = process.argv.slice(2);
/** @typedef {{ status: string, ancestorTitles: string[], title: string }} Test */
/** @type {{ numPassedTests?: number, testResults?: { name: string, status: string, message: string, assertionResults: Test[] }[] }} */
const { numPassedTests: passed = 0, testResults = [] } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  const titles = failed.map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' › '));
  // Without a failed test the suite did not load, or something beside its tests failed.
  if (status === 'failed' && titles.length === 0) titles.push(stripVTControlCharacters(message).trim().slice(0, 300));
  return titles.map((title) => `${relative('', name)}: ${title}`);
});
if (failures.length === 0 && (Number(code) !== 0 || passed === 0)) failures.push(`no failed test, exit code ${code}`);
for (const failure of failures)
  appendFileSync(list, `FAILED  ${basename(file, '.json')}  ${failure.replaceAll(/\s+/g, ' ')}\n`);
console.log(`${passed} ${failures.length}`);
