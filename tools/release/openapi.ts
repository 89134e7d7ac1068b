// Checks that docs/reference/openapi.json is what the service answers, and with oasdiff, which Go builds once into .cache, that clients of the
// last release lose nothing.
//   npm run check:openapi                  checks
//   npm run check:openapi -- --update      writes the document
//   npm run check:openapi -- --release     writes the copy of the release, with which later documents are compared; empties the accepted losses
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@assurance/contracts/http/openapi';
import { goTool } from '../ci/go-tool.ts';
import { list } from '../ci/report.ts';
import { run } from '../common/command.ts';
import { root } from '../common/root.ts';

/** What an answer may not lose either, though its schema then allows less. */
const LEVELS = join(root, 'tools/release/oasdiff-levels.txt');
/** What answers and requests lose in this release on purpose, as oasdiff says it. The changelog tells users; a release empties the file. */
const ACCEPTED = join(root, 'tools/release/oasdiff-accepted.txt');
const now = join(root, 'docs/reference/openapi.json');
const released = join(root, 'docs/reference/openapi.released.json');
const document = openApiDocument({ publicUrl: 'http://localhost:8001', region: null });
const text = `${JSON.stringify(document, null, 1)}\n`;
const written = [
  ...(process.argv.includes('--update') ? [now] : []),
  ...(process.argv.includes('--release') ? [released] : []),
];
for (const file of written) writeFileSync(file, text);
if (written.includes(released)) writeFileSync(ACCEPTED, '');
if (written.length === 0) check();

function check(): void {
  const problems: string[] = [];
  if (!existsSync(now) || readFileSync(now, 'utf8') !== text) {
    problems.push('docs/reference/openapi.json is not what the service answers: run npm run check:openapi -- --update');
    console.error(run('git', ['diff', '--no-index', '--stat', now, '-'], { cwd: root, input: text }).out);
  }
  const options = [
    '--fail-on',
    'WARN',
    '--format',
    'singleline',
    '--severity-levels',
    LEVELS,
    '--err-ignore',
    ACCEPTED,
    '--warn-ignore',
    ACCEPTED,
  ];
  const oasdiff = goTool('github.com/oasdiff/oasdiff', 'v1.11.7');
  const { ok, out } = run(oasdiff, ['breaking', released, now, ...options]);
  if (!ok) problems.push(out.trim());
  list(problems, 'of the OpenAPI document');
}
