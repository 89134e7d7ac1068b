import type { Browser } from 'playwright-core';
import { findings } from './support/axe';
import { waitForCount, openBrowser, openWatched, type WatchedPage } from './support/browser';
import { excess, misfitting, uneven } from './support/layout';
import { PATHS } from './support/paths';
import { type Shop, startShop } from './support/shop';
import { leastWork, measure, type PageCost } from './support/work';

jest.setTimeout(120_000);

const WIDTHS = [360, 768, 1440, 2560];
/** Of bytes as they are sent: what is loaded before the first view, but for charts, which begin when all else is there. */
const FIRST_VIEW_MAX = 200 * 1024;
/** Milliseconds of a core: what a page computes until it shows what it has, from its first script on. */
const WORK_MAX = 200;
const LATER = /\/assets\/(DeliveryFigures|ExposureChart|Chart)-|\/metrics\?/;

describe('every page with the demo’s data', () => {
  let shop: Shop;
  let browser: Browser;
  let reader: WatchedPage;
  let measured: PageCost;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
    reader = await openWatched(browser, shop);
    measured = await measure(reader.page);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  it.each(PATHS)(
    '%s fits in every width, loads and computes little, shows no failure, breaks no rule of its content policy, and has nothing for axe to find',
    async (path) => {
      const { page, faults } = reader;
      await page.setViewportSize({ width: 1440, height: 900 });
      await measured.clear();
      await reader.open(path);
      const bytes = measured.bytes(LATER);
      const work = await leastWork(browser, measured, () => reader.open(path), WORK_MAX);
      expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
      expect(await waitForCount(page.locator('h1'), 1)).toBe(1);
      const misplaced: string[] = [];
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const over = await excess(page);
        if (over > 0) misplaced.push(`${over} pixels too wide in ${width}`);
        misplaced.push(...(await uneven(page)).map((figure) => `space beside ${figure} in ${width}`));
      }
      expect(misplaced).toEqual([]);
      expect(await findings(page)).toEqual([]);
      expect(faults.splice(0)).toEqual([]);
      expect(bytes).toBeGreaterThan(100_000);
      expect(bytes).toBeLessThan(FIRST_VIEW_MAX);
      expect(work).toBeLessThan(WORK_MAX);
    },
  );

  it.each(['/admin', '/admin/environments/demo-production?tab=exposure'])(
    '%s has charts that fill their panels in every width, with zero at their feet',
    async (path) => {
      const { page, open, faults } = reader;
      await open(path);
      const chart = page.locator('svg[role=img]').first();
      await chart.waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect(await misfitting(page)).toEqual([]);
      }
      const feet = await page.evaluate<string[]>(
        "[...document.querySelectorAll('svg[role=img] > g:first-of-type > text')].map(({ textContent }) => textContent)",
      );
      expect(new Set(feet)).toEqual(new Set(['0']));
      expect(faults.splice(0)).toEqual([]);
    },
  );

  it.each([
    ['/nobody', 'No access'],
    ['/admin/environments/none', 'There is nothing here'],
  ])('%s says what is wrong, and has nothing for axe to find', async (path, title) => {
    const { page, open, faults } = await openWatched(browser, {
      ...shop,
      expected: /Failed to load resource|does not exist/,
    });
    await open(path);
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await page.title()).toBe(`${title} · ${path.split('/')[1]} · Deployment Assurance`);
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('the reference has nothing for axe to find, also where an operation is open', async () => {
    const { page, faults, go } = await openWatched(browser, { url: shop.url });
    await go('/api/v2/doc/#/Environments/putEnvironment');
    await page.getByRole('button', { name: 'Try it out' }).waitFor();
    expect(await findings(page)).toEqual([]);
    // A row of the list opens an operation, and the address names it.
    await page.locator('.opblock-summary-control', { hasText: '/environments/{org}/{env}' }).first().click();
    await page.waitForURL(/#\/Environments\/(?!putEnvironment)/);
    expect(faults).toEqual([]);
  });

  it('/sign-in has nothing for axe to find', async () => {
    const { page, faults, go } = await openWatched(browser, { url: shop.url });
    await go('/sign-in');
    await page.getByLabel('API key').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
