// Takes pictures of the pages of a running service that has the demo's data, wide and narrow, light and dark.
//   npm run screenshots -- --key KEY [--url URL] [--to FOLDER] [--readme]
// URL is http://localhost:8001 and FOLDER .cache/screenshots unless given. --readme takes those that the README shows instead, into
// docs/pictures. Needs Chromium (ASSURANCE_TEST_CHROMIUM names another than /usr/bin/chromium).
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const WIDTHS = [1440, 390];
const THEMES = ['light', 'dark'];
/** The demo makes the same builds each time. */
const FINGERPRINT = createHash('sha256').update('demo demo-web 2.9').digest('hex');
const SETTINGS = [
  ...['members', 'log', 'service-accounts', 'spaces', 'targets'],
  ...['retention', 'keys', 'sign-in', 'organizations'],
];
const PAGES = {
  overview: '/admin',
  environments: '/admin/environments',
  environment: '/admin/environments/demo-production',
  history: '/admin/environments/demo-production?tab=history',
  events: '/admin/environments/demo-production?tab=events',
  rules: '/admin/environments/demo-production?tab=rules',
  logical: '/admin/environments/demo-customers',
  snapshot: '/admin/environments/demo-production/snapshots/8',
  difference: '/admin/compare?a=demo-production&b=demo-staging',
  deployments: '/admin/deployments',
  flows: '/admin/flows',
  flow: '/admin/flows/demo-web',
  trail: '/admin/flows/demo-web/trails/build-9',
  artifact: `/admin/flows/demo-web/artifacts/${FINGERPRINT}`,
  repositories: '/admin/repositories',
  repository: '/admin/repositories/acme%2Fshop-web',
  policies: '/admin/policies',
  policy: '/admin/policies/demo-release',
  controls: '/admin/controls',
  control: '/admin/controls/DEMO-CC8.1',
  types: '/admin/attestation-types',
  type: '/admin/attestation-types/demo-coverage',
  notifications: '/admin/notifications',
  notification: '/admin/notifications/1',
  search: '/admin/search?q=demo',
  missing: '/admin/no-such-page',
  ...Object.fromEntries(SETTINGS.map((tab) => [`settings-${tab}`, `/admin/settings/${tab}`])),
};
const README = [
  ['overview', 1440, 'light'],
  ['environment', 1440, 'dark'],
  ['flow', 1440, 'light'],
];

const text = { type: 'string' };
const { values } = parseArgs({ options: { key: text, url: text, to: text, readme: { type: 'boolean' } } });
const { key, url = 'http://localhost:8001', to = values.readme ? 'docs/pictures' : '.cache/screenshots' } = values;
if (key === undefined) {
  console.error('npm run screenshots -- --key KEY [--url URL] [--to FOLDER] [--readme]');
  process.exit(1);
}

const every = Object.keys(PAGES).flatMap((name) =>
  WIDTHS.flatMap((width) => THEMES.map((theme) => [name, width, theme])),
);
mkdirSync(to, { recursive: true });
const executablePath = process.env.ASSURANCE_TEST_CHROMIUM ?? '/usr/bin/chromium';
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
    await page.goto(PAGES[name]);
    await page.locator('#title').waitFor();
    await page.locator('[data-loading]').first().waitFor({ state: 'detached' });
    const file = join(to, values.readme ? `${name}.png` : `${name}-${width}-${colorScheme}.png`);
    await page.screenshot({ path: file, fullPage: !values.readme });
    console.log(file);
  }
} finally {
  await browser.close();
}
