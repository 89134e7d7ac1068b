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

  it('shows each cause and each reason once with all its policies, and begins long lists with a few', async () => {
    const { page, open, arrived } = reader;
    const even = [2, 6].map((i) => `policy-${i}`);
    const odd = [1, 3, 5, 7].map((i) => `policy-${i}`);
    await open('/admin');
    const link = page.getByRole('link', { name: '100: No provenance' });
    // The rarest cause of the first environment.
    await link.waitFor({ state: 'hidden' });
    await page.getByText('2 more causes').first().click();
    await link.waitFor();
    const cause = page.locator('li li').filter({ has: link });
    expect(await cause.getByRole('link').allTextContents()).toEqual(expect.arrayContaining([...even, ...odd]));
    await link.click();
    await arrived(`${LARGE}?cause=unknown`);
    await page.getByText('No provenance: It is known where the artifact comes from').waitFor();
    await page.getByText('100 in all').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'the artifact has no provenance' }).first();
    const reason = row.getByRole('listitem').filter({ hasText: 'the artifact has no provenance' });
    expect(await reason.getByRole('link').allTextContents()).toEqual(expect.arrayContaining(even));
    await row.getByText(/^\d more reasons$/).click();
    await row.getByText("the 'change-record' attestation of type generic is missing").waitFor();
  });
});
