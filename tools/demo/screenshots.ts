// Takes pictures of the pages of a running service that has the demo's data, wide and narrow, light and dark.
//   npm run screenshots -- --key KEY [--url URL] [--to FOLDER] [--readme]
// URL is http://localhost:8001 and FOLDER .cache/screenshots unless given. --readme takes those that the README shows instead, into
// docs/pictures. Needs Chromium (ASSURANCE_TEST_CHROMIUM names another than /usr/bin/chromium).
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { stop } from '../common/command.ts';
import { hash } from './shop.ts';

type Shot = readonly [page: string, width: number, theme: 'light' | 'dark'];
/** The names of pictures, and the pages below the organization. */
const PAGES: Readonly<Record<string, string>> = {
  overview: '',
  environments: 'environments',
  environment: 'environments/demo-production',
  history: 'environments/demo-production?tab=history',
  events: 'environments/demo-production?tab=events',
  rules: 'environments/demo-production?tab=rules',
  logical: 'environments/demo-customers',
  snapshot: 'environments/demo-production/snapshots/8',
  difference: 'compare?a=demo-production&b=demo-staging',
  components: 'components?component=log4j-core',
  'components-none': 'components?component=log4j-core&version=1.2.17&env=demo-production',
  'components-at':
    'components?component=log4j-core&version=%3E%3D2%2C%3C2.17&time=period&from=2026-10-01&to=2026-12-01',
  'components-help': 'components',
  'components-refused': 'components?component=log4j-core&version=%3E%3E1',
  'difference-components': 'compare?a=demo-production~1&b=demo-production&tab=components',
  vulnerabilities: 'vulnerabilities',
  'artifact-components': `flows/demo-web/artifacts/${hash('sha256', 'demo-web 2.9')}?tab=components`,
  'artifact-unknown': `flows/demo-web/artifacts/${hash('sha256', 'demo-web 2.8')}?tab=components`,
  flow: 'flows/demo-web',
  trail: 'flows/demo-web/trails/build-9',
  artifact: `flows/demo-web/artifacts/${hash('sha256', 'demo-web 2.9')}`,
  repository: 'repositories/acme%2Fshop-web',
  policy: 'policies/demo-release',
  control: 'controls/DEMO-CC8.1',
  types: 'attestation-types',
  type: 'attestation-types/demo-coverage',
  notification: 'notifications/1',
  search: 'search?q=demo',
  missing: 'no-such-page',
  ...Object.fromEntries(
    ['deployments', 'flows', 'repositories', 'policies', 'controls', 'notifications'].map((name) => [name, name]),
  ),
  ...Object.fromEntries(
    ['members', 'log', 'service-accounts', 'spaces', 'targets', 'retention', 'keys', 'sign-in', 'organizations'].map(
      (tab) => [`settings-${tab}`, `settings/${tab}`],
    ),
  ),
};
const README: readonly Shot[] = [
  ['overview', 1440, 'light'],
  ['environment', 1440, 'dark'],
  ['flow', 1440, 'light'],
  ['components', 1440, 'light'],
];
const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { key: text, url: text, to: text, readme: { type: 'boolean' } } });
const { key, url = 'http://localhost:8001', to = values.readme ? 'docs/pictures' : '.cache/screenshots' } = values;
if (key === undefined) stop('npm run screenshots -- --key KEY [--url URL] [--to FOLDER] [--readme]');

const every = Object.keys(PAGES).flatMap((name) =>
  [1440, 390].flatMap((width) => (['light', 'dark'] as const).map((theme): Shot => [name, width, theme])),
);
mkdirSync(to, { recursive: true });
const executablePath = process.env['ASSURANCE_TEST_CHROMIUM'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ baseURL: url });
  await page.goto('/sign-in');
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
  for (const [name, width, colorScheme] of values.readme ? README : every) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/admin/${PAGES[name]}`);
    await page.locator('#title').waitFor();
    await page.locator('[data-loading]').first().waitFor({ state: 'detached' });
    const file = join(to, values.readme ? `${name}.png` : `${name}-${width}-${colorScheme}.png`);
    await page.screenshot({ path: file, fullPage: !values.readme });
    console.log(file);
  }
} finally {
  await browser.close();
}
