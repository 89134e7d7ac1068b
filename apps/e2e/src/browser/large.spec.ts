import type { Browser } from 'playwright-core';
import { waitForCount, openBrowser, openWatched, type WatchedPage } from './support/browser';
import { type Shop, startShop } from './support/shop';
import { fillLarge } from './support/large';
import { leastWork, measure, type PageCost } from './support/work';

jest.setTimeout(120_000);

/** Bytes as they are sent, from an empty cache on. */
const LOADED_MAX = 300_000;
const ELEMENTS_MAX = 6_000;
/** Milliseconds of a core. */
const WORK_MAX = 600;

describe('pages of an organization with 1,000 environments, 10,000 artifacts in one of them, and 100,000 deployments', () => {
  let shop: Shop;
  let browser: Browser;
  let admin: WatchedPage;
  let measured: PageCost;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
    await shop.ask('POST', '/organizations', { name: 'large' });
    await fillLarge(shop, 'large');
    admin = await openWatched(browser, shop);
    measured = await measure(admin.page);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  it.each([
    ['/large', 'No provenance'],
    ['/large/environments', '1,000 in all'],
    ['/large/environments?state=non-compliant', 'large-99'],
    ['/large/environments/large-0', '10,000 in all'],
    ['/large/environments/large-0?artifacts=200', 'web:9'],
    ['/large/environments/large-0?tab=events', 'large'],
    ['/large/environments/large-0/snapshots/1', 'These are the first 50 of 10,000'],
    ['/large/compare?a=large-0&b=large-1', 'in all'],
    ['/large/deployments?time=12m&kind=all', '110,010 in all'],
    ['/large/deployments?time=12m', '99,980 in all'],
    ['/large/policies/large-provenance', 'of 10,000 fail'],
  ])('%s shows what there is of it, and is small', async (path, text) => {
    const { page, open, faults } = admin;
    await measured.clear();
    const load = async () => {
      await open(path);
      await page.getByText(text).first().waitFor();
    };
    await load();
    const bytes = measured.bytes();
    const work = await leastWork(browser, measured, load, WORK_MAX);
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
    expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThan(ELEMENTS_MAX);
    expect(bytes).toBeLessThan(LOADED_MAX);
    expect(work).toBeLessThan(WORK_MAX);
    expect(faults.splice(0)).toEqual([]);
  });

  it('finds one of 10,000 artifacts by its name', async () => {
    const { page, open } = admin;
    await open('/large/environments/large-0?artifacts=3');
    await page.getByLabel('Filter by name, flow or fingerprint').fill('PART:9998');
    await page.getByText('part:9998').waitFor();
    expect(await waitForCount(page.getByRole('table').getByRole('row'), 2)).toBe(2);
    expect(page.url()).not.toContain('artifacts=');
  });
});
