// Checks that docs/reference/openapi.json is what the service answers, and that nothing which the last release had is gone.
//   npm run check:openapi                  checks
//   npm run check:openapi -- --update      writes the document
//   npm run check:openapi -- --release     writes the copy of the release, with which later documents are compared
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@assurance/contracts/http/openapi';
import { list } from '../ci/report.ts';
import { run } from '../common/command.ts';
import { root } from '../common/root.ts';
import { removals } from './removals.ts';

const now = join(root, 'docs/reference/openapi.json');
const released = join(root, 'docs/reference/openapi.released.json');
const document = openApiDocument({ publicUrl: 'http://localhost:8001', region: null });
const text = `${JSON.stringify(document, null, 1)}\n`;
if (process.argv.includes('--update')) writeFileSync(now, text);
if (process.argv.includes('--release')) writeFileSync(released, text);

const problems = removals(JSON.parse(readFileSync(released, 'utf8')), JSON.parse(text));
if (!existsSync(now) || readFileSync(now, 'utf8') !== text) {
  problems.push('docs/reference/openapi.json is not what the service answers: run npm run check:openapi -- --update');
  console.error(run('git', ['diff', '--no-index', '--stat', now, '-'], { cwd: root, input: text }).out);
}
list(problems, 'of the OpenAPI document');
