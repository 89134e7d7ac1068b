// Checks that each package of the image and of the pages has a compatible licence, and that NOTICES has the text of each.
//   npm run check:notices                checks
//   npm run check:notices -- --update    writes NOTICES
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { list } from '../ci/report.ts';
import { root } from '../common/root.ts';
import { installed, licenceProblems, lockOf, noticeOf, noticesText } from './licences.ts';

const file = join(root, 'NOTICES');
const notices = installed(lockOf(root), ['', 'apps/web']).map((path) => noticeOf(root, path));
const text = noticesText(notices);
const problems = licenceProblems(notices);
if (process.argv.includes('--update')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  problems.push('NOTICES is not of these packages: run npm run check:notices -- --update');
}
const planted = [null, 'GPL-3.0-only', 'MIT'].map((licence) => ({ id: 'planted@1', licence, text: '' }));
if (licenceProblems(planted).length !== 2) problems.push('a package without a compatible licence is not found');
list(problems, `of ${notices.length} packages`);
