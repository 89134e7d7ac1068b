// Takes pictures of pages of the demo, which `npm run demo` starts.
//   npm run screenshots -- --key KEY [--url URL]             those that the README shows, into docs/pictures
//   npm run screenshots -- --key KEY [--url URL] [PAGE …]    pages below the organization, such as settings/keys, each wide and narrow, light and
//                                                            dark, into .cache/screenshots
// URL is http://localhost:8001 unless given. Needs Chromium (ASSURANCE_TEST_CHROMIUM names another than /usr/bin/chromium).
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { stop } from '../common/command.ts';

type Shot = readonly [file: string, page: string, width: number, theme: 'light' | 'dark'];
const README: readonly Shot[] = [
  ['docs/pictures/overview.png', '', 1440, 'light'],
  ['docs/pictures/environment.png', 'environments/demo-production', 1440, 'dark'],
  ['docs/pictures/flow.png', 'flows/demo-web', 1440, 'light'],
  ['docs/pictures/components.png', 'components?component=log4j-core', 1440, 'light'],
];
const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({ options: { key: text, url: text }, allowPositionals: true });
const { key = stop('npm run screenshots -- --key KEY [--url URL] [PAGE …]'), url = 'http://localhost:8001' } = values;
const chosen = positionals.flatMap((page) =>
  [1440, 390].flatMap((width) =>
    (['light', 'dark'] as const).map((theme): Shot => {
      const name = page.replaceAll(/[^\w-]+/g, '-');
      return [`.cache/screenshots/${name}-${width}-${theme}.png`, page, width, theme];
    }),
  ),
);

const executablePath = process.env['ASSURANCE_TEST_CHROMIUM'] ?? '/usr/bin/chromium';
await using browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const tab = await browser.newPage({ baseURL: url });
await tab.goto('/sign-in');
await tab.getByLabel('API key').fill(key);
await tab.getByRole('button', { name: 'Sign in' }).click();
await tab.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
for (const [file, page, width, theme] of chosen.length > 0 ? chosen : README) {
  mkdirSync(dirname(file), { recursive: true });
  await tab.emulateMedia({ colorScheme: theme });
  await tab.setViewportSize({ width, height: 900 });
  await tab.goto(`/admin-demo/${page}`);
  await tab.locator('#title').waitFor();
  await tab.locator('[data-loading]').first().waitFor({ state: 'detached' });
  await tab.screenshot({ path: file, fullPage: chosen.length > 0 });
  console.log(file);
}
