import type { Browser, Page } from 'playwright-core';
import { waitForCount, openBrowser, openWatched } from './support/browser';
import { countClicks } from './support/clicks';
import { type Shop, startShop } from './support/shop';
import { recordSixtyDays } from './support/sixty-days';

jest.setTimeout(120_000);

const POLICY = '_schema: https://example.com/schemas/policy/v1\nartifacts:\n  provenance: { required: true }\n';
const fingerprint = (digit: string) => digit.repeat(64);
/** Epoch seconds: a Tuesday at 14:05 of the browser, whose zone is that of the machine. */
const TUESDAY = new Date(2026, 5, 16, 14, 5).getTime() / 1000;

describe('questions that pages answer', () => {
  let shop: Shop;
  let browser: Browser;
  const report = (env: string, observed: number, images: Readonly<Record<string, string>>) =>
    shop.ask('PUT', `/environments/admin/${env}/report/docker?observed_at=${observed}`, {
      artifacts: Object.entries(images).map(([name, digest]) => ({
        digests: { [name]: digest },
        creationTimestamp: observed - 1,
      })),
    });

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
    await recordSixtyDays(shop, 'tale');
    await shop.ask('PUT', '/environments/admin', { name: 'night', type: 'docker' });
    await report('night', TUESDAY - 3_600, { 'search-api:1.11.0': fingerprint('1') });
    await report('night', TUESDAY + 60, { 'search-api:1.12.0': fingerprint('2') });
    await report('night', Math.floor(Date.now() / 1000) - 600, { 'search-api:1.11.0': fingerprint('1') });
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  /** The row of a table that begins with an artifact; roles' names join what the cells say. */
  const rowOf = (page: Page, name: RegExp) => page.getByRole('row', { name });

  it('what changed in the last hour: a rollback, from what to what (1 click from the overview, and the time)', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    const clicks = await countClicks(page);
    await open('/admin');
    await page.getByRole('link', { name: 'Deployments', exact: true }).click();
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Last hour');
    const row = rowOf(page, /search-api: 1\.12\.0.*1\.11\.0/);
    await row.getByText('Rollback').waitFor();
    await row.getByRole('link', { name: 'night' }).waitFor();
    expect(await waitForCount(page.getByRole('row'), 2)).toBe(2);
    expect(await clicks()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('what ran on Tuesday at 14:05 (2 clicks from the overview)', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    const clicks = await countClicks(page);
    await open('/admin');
    await page.getByRole('link', { name: 'night', exact: true }).first().click();
    await page.getByLabel('What ran at').fill('2026-06-16T14:05');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('heading', { name: 'Snapshot 1' }).waitFor();
    await rowOf(page, /search-api:1\.11\.0/).waitFor();
    expect(await clicks()).toBe(2);
    expect(faults).toEqual([]);
  });

  it('what ran before, and what to go back to (1 click on the page of the environment)', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/environments/night');
    await page.getByRole('link', { name: 'Deployments', exact: true }).last().click();
    await rowOf(page, /search-api: 1\.12\.0.*1\.11\.0/).waitFor();
    await rowOf(page, /search-api: 1\.11\.0.*1\.12\.0/).waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Artifact',
      'Snapshot',
      'Deployed',
      'Verdict',
      'Commit',
      'Lead time',
    ]);
    expect(faults).toEqual([]);
  });

  it('why an environment does not comply, and what to do (1 click on the overview)', async () => {
    await shop.ask('PUT', '/environments/admin', { name: 'strict', type: 'docker' });
    await shop.form('PUT', '/policies/admin', { name: 'known' }, { field: 'policy_file', text: POLICY });
    await shop.ask('POST', '/environments/admin/strict/policies', { policy_names: ['known'] });
    const images = Object.fromEntries(['3', '4', '5'].map((digit) => [`job:${digit}`, fingerprint(digit)]));
    await report('strict', Math.floor(Date.now() / 1000), images);
    const { page, open, faults } = await openWatched(browser, shop);
    const clicks = await countClicks(page);
    await open('/admin');
    await page.getByRole('link', { name: '3: No provenance' }).click();
    await page.getByRole('heading', { name: 'Environment strict' }).waitFor();
    const row = rowOf(page, /job:4/);
    await row.waitFor();
    expect(await clicks()).toBe(1);
    await row.getByRole('button', { name: 'Allow' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Fingerprint').inputValue()).toBe(fingerprint('4'));
    await dialog.getByLabel('Why').fill('It is gone tomorrow');
    await dialog.getByRole('button', { name: 'Allow' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    await open('/admin');
    await page.getByRole('link', { name: '2: No provenance' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('whether anything judged what ran', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    for (const path of ['/admin/environments/night', '/admin/environments/night/snapshots/1']) {
      await open(path);
      await page.getByText('Not judged', { exact: true }).first().waitFor();
      expect(await waitForCount(page.getByText(/^(Non-c|C)ompliant$/), 0)).toBe(0);
    }
    await open('/admin/environments/night?tab=history');
    for (const snapshot of [1, 2, 3]) await rowOf(page, new RegExp(`^Snapshot ${snapshot} Not judged`)).waitFor();
    await open(`/admin/environments?name=night`);
    await rowOf(page, /night/).getByText('Not judged', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('when, in the zone that the reader chose', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/deployments?time=own&from=2026-06-15&to=2026-06-21&env=night');
    await page.getByRole('button', { name: 'Account of admin' }).click();
    await page.getByRole('menuitemradio', { name: 'UTC', exact: true }).click();
    await page
      .getByRole('cell', { name: /16 Jun, \d\d:\d\d UTC/ })
      .first()
      .waitFor();
    expect(faults).toEqual([]);
  });
});
