import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { findings } from './support/axe';
import { openBrowser, watched, type Watched } from './support/browser';
import { broken, excess, misplaced } from './support/layout';
import { PATHS } from './support/paths';
import { type Shop, startShop } from './support/shop';

jest.setTimeout(120_000);

const FILL = resolve(__dirname, '../../../../tools/demo/company.ts');
const LARGE = '/admin/environments/payments-platform-production-eu-central-1';
const WITH_LONG_NAMES = [
  LARGE,
  ...['history', 'events', 'rules', 'components', 'exposure', 'deployments'].map((tab) => `${LARGE}?tab=${tab}`),
  `${LARGE}/snapshots/12`,
  '/admin/environments/everything-that-customers-meet',
  '/admin/environments/everything-that-customers-meet?tab=rules',
  '/admin/environments/identity_and_access_management_production',
  '/admin/compare?a=payments-platform-production-eu-central-1~1&b=payments-platform-production-eu-central-1',
  '/admin/compare?a=payments-platform-production-eu-central-1&b=payments-staging',
  '/admin/flows/payments-ledger-reconciliation',
  '/admin/flows/payments-ledger-reconciliation?tab=artifacts',
  '/admin/policies/payment-card-industry-requirement-0-change-management-and-approval',
  `/admin/repositories/${encodeURIComponent('payments-platform-engineering/ledger-reconciliation')}`,
  '/admin/notifications/2',
  '/admin/search?q=payments',
];

describe('pages of a company with 13 environments, 300 artifacts in one of them, 40 policies and long names', () => {
  let shop: Shop;
  let browser: Browser;
  let reader: Watched;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
    await promisify(execFile)(process.execPath, [FILL, '--url', shop.url, `--key=${shop.key}`]);
    reader = await watched(browser, shop);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  it.each([...WITH_LONG_NAMES, ...PATHS])(
    '%s fits at 390 and 1,440 pixels, and nothing lies over another',
    async (path) => {
      const { page, open, faults } = reader;
      await page.setViewportSize({ width: 1440, height: 900 });
      await open(path);
      expect([await excess(page), await broken(page), await misplaced(page)]).toEqual([0, [], []]);
      await page.setViewportSize({ width: 390, height: 900 });
      expect(await excess(page)).toBe(0);
      expect(faults.splice(0)).toEqual([]);
    },
  );

  it.each(['/admin', LARGE, '/admin/environments/everything-that-customers-meet', '/admin/notifications/2'])(
    '%s has nothing for axe to find',
    async (path) => {
      const { page, open } = reader;
      await open(path);
      expect(await findings(page)).toEqual([]);
    },
  );

  it('begins long lists of causes and reasons with a few', async () => {
    const { page, open } = reader;
    await open('/admin');
    const causes = page.getByText('18 more causes');
    await page.getByRole('link', { name: '100: No provenance' }).first().waitFor({ state: 'hidden' });
    await causes.click();
    await page.getByRole('link', { name: '100: No provenance' }).first().waitFor();
    await open(LARGE);
    await page.getByText('5 more reasons').first().click();
    await page.getByText("policy 'policy-7'").first().waitFor();
  });
});
