import type { Browser, Page } from 'playwright-core';
import { findings } from './support/axe';
import { waitForCount, openBrowser, openWatched, type WatchedPage } from './support/browser';
import { countClicks } from './support/clicks';
import { fillCompany } from './support/company';
import { broken, excess, misplaced, uneven, vacant, widowed } from './support/layout';
import { PATHS } from './support/paths';
import { type Shop, startShop } from './support/shop';

jest.setTimeout(120_000);

const DAY_MS = 86_400_000;
const NAME = 'payments-platform-production-eu-central-1';
const LARGE = `/admin/environments/${NAME}`;
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
  let reader: WatchedPage;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
    await fillCompany(shop);
    reader = await openWatched(browser, shop);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  it.each([...WITH_LONG_NAMES, ...PATHS])(
    '%s fits at 390 and 1,440 pixels, nothing lies over another, and nothing is left empty',
    async (path) => {
      const { page, open, faults } = reader;
      await page.setViewportSize({ width: 1440, height: 900 });
      await open(path);
      expect([await excess(page), await broken(page), await misplaced(page)]).toEqual([0, [], []]);
      expect([await vacant(page), await widowed(page)]).toEqual([[], []]);
      await page.setViewportSize({ width: 390, height: 900 });
      expect([await excess(page), await uneven(page), await widowed(page)]).toEqual([0, [], []]);
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

  it('begins lists of many names and of many changes with a few, and leads to all of them', async () => {
    const { page, open, arrived, faults } = reader;
    await open('/admin/notifications');
    const row = page.getByRole('row').filter({ hasText: 'payments-platform-on-call-engineers' });
    const environments = row.locator('[data-head="Environments"]').getByRole('link');
    expect(await waitForCount(environments, 6)).toBe(6);
    await row.getByText('6 more environments').click();
    expect(await waitForCount(environments, 12)).toBe(12);
    await open(`${LARGE}/snapshots/12`);
    const changes = page.getByRole('region', { name: 'What changed' });
    const artifacts = changes.getByRole('listitem');
    expect(await waitForCount(artifacts, 10)).toBe(10);
    await changes.getByText('40 more changes').click();
    expect(await waitForCount(artifacts, 50)).toBe(50);
    await changes.getByRole('link', { name: 'Compare with 11' }).click();
    await arrived(`/admin/compare?a=${NAME}%2311&b=${NAME}%2312`);
    expect(faults.splice(0)).toEqual([]);
  });

  it('leads from a deployment to its artifact, also without provenance', async () => {
    const { page, open, faults } = reader;
    await open(`${LARGE}?tab=deployments`);
    await page.getByRole('link', { name: '2026.8.207-build.4918' }).click();
    await page.getByRole('heading', { name: /Artifact .*fraud-detection-model-serving-207/ }).waitFor();
    await page.getByText('No flow reported it').waitFor();
    expect(faults.splice(0)).toEqual([]);
  });

  const clicksOf = async (click: (page: Page) => Promise<void>) => {
    const { page, open, faults } = await openWatched(browser, shop);
    const clicks = await countClicks(page);
    await open('/admin');
    await click(page);
    const count = await clicks();
    await page.close();
    expect(faults).toEqual([]);
    return count;
  };
  const openLarge = (page: Page) => page.getByRole('link', { name: NAME, exact: true }).first().click();

  it('says what changed, by whom, from which commit (1 click)', async () => {
    const count = await clicksOf(async (page) => {
      await page.getByRole('link', { name: 'Deployments', exact: true }).click();
      const inLarge = page.getByRole('row').filter({ has: page.getByRole('link', { name: NAME, exact: true }) });
      const row = inLarge.filter({ hasText: 'Ada Lovelace' }).first();
      await row.getByText('Fix rounding of totals').waitFor();
      await row.getByText('Non-compliant').waitFor();
      await row.getByText('→').waitFor();
    });
    expect(count).toBe(1);
  });

  it('says which of 300 artifacts ran 20 days ago (2 clicks), and what each replaced (1 click)', async () => {
    const count = await clicksOf(async (page) => {
      await openLarge(page);
      await page.locator('[data-head="Ran before"]').getByText('Compliant').first().waitFor();
      // The browser's zone is that of the machine.
      const day = new Date(Date.now() - 20 * DAY_MS);
      const local = new Date(day.getTime() - day.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
      await page.getByLabel('What ran at').fill(local);
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByRole('heading', { name: 'Snapshot 8' }).waitFor();
      await page.getByLabel('Filter by name, flow or fingerprint').fill('ledger-reconciliation:');
      await page.getByRole('row', { name: /ledger-reconciliation:\s*2026\.6\.1-build/ }).waitFor();
    });
    expect(count).toBe(2);
  });

  it('says why production does not comply (1 click), and shows the evidence of an artifact (2 clicks)', async () => {
    const count = await clicksOf(async (page) => {
      await page.getByRole('link', { name: '200: Missing attestation' }).first().click();
      await page.getByText('200 in all').waitFor();
      await page.getByRole('link', { name: /checkout-100:\s*2026/ }).click();
      await page.getByRole('heading', { name: /Artifact .*checkout-100/ }).waitFor();
      await page.getByText('Fix rounding of totals').first().waitFor();
      await page.getByRole('region', { name: 'Where it ran' }).getByRole('link', { name: NAME }).first().waitFor();
    });
    expect(count).toBe(2);
  });

  it('finds an artifact by a part of its name (0 clicks)', async () => {
    const count = await clicksOf(async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('notification-preferences-50');
      await page
        .getByRole('option', { name: /notification-preferences-50/ })
        .first()
        .waitFor();
    });
    expect(count).toBe(0);
  });
});
