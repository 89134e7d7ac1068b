// @ts-check
// Prints "<passed> <failed>" of one Jest run: node tools/ci/count.mjs <file that --outputFile wrote> <exit code of Jest>
// A run that failed without a failed test counts as one failure: no report, no test, a suite that did not load, a process that was stopped.
import { existsSync, readFileSync } from 'node:fs';

const [file = '', code] = process.argv.slice(2);
const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const passed = report.numPassedTests ?? 0;
const failed = (report.numFailedTests ?? 0) + (report.numRuntimeErrorTestSuites ?? 0);
const wrong = Number(code) !== 0 || passed === 0;
console.log(`${passed} ${wrong ? Math.max(failed, 1) : failed}`);
