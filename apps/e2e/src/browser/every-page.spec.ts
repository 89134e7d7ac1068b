import AxeBuilder from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { openBrowser, open, watched, type Watched } from './support/browser';
import { pathsOf, startShop, type Shop } from './support/shop';

jest.setTimeout(300_000);

/** The rules of WCAG 2.2 on levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const LOOKS = [
  ['light', 1440],
  ['dark', 390],
] as const;
const WIDTHS = [360, 768, 1440, 2560];

describe('every page with the demo’s data', () => {
  let shop: Shop;
  let browser: Browser;
  let paths: readonly string[];

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
    paths = await pathsOf(shop);
  });

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  const signedIn = (options: { bypassCSP?: boolean } = {}): Promise<Watched> =>
    watched(browser, { url: shop.url, key: shop.key, ...options });

  it('has nothing for axe to find, light and dark, wide and narrow', async () => {
    const { page } = await signedIn({ bypassCSP: true });
    const found: string[] = [];
    for (const path of paths) {
      await open(page, path);
      for (const [colorScheme, width] of LOOKS) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 900 });
        const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
        const told = violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
        found.push(...told.map((text) => `${path} ${colorScheme} ${width}: ${text}`));
      }
    }
    expect(found).toEqual([]);
  });

  it('breaks no rule of its content policy, asks no other host and logs no error', async () => {
    const { page, faults } = await signedIn();
    for (const path of paths) await open(page, path);
    expect(faults).toEqual([]);
  });

  it('shows no failure but on the address of no page', async () => {
    const { page } = await signedIn();
    const failing: string[] = [];
    for (const path of paths) {
      await open(page, path);
      if ((await page.getByRole('alert').count()) > 0)
        failing.push(`${path} ${await page.getByRole('alert').first().innerText()}`);
      if ((await page.locator('h1').count()) !== 1) failing.push(`${path} has not one h1`);
    }
    expect(failing).toEqual([]);
  });

  it(`fits in ${WIDTHS.join(', ')} pixels`, async () => {
    const { page } = await signedIn();
    const wide: string[] = [];
    for (const path of paths) {
      await open(page, path);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (over > 0) wide.push(`${path} is ${over} too wide in ${width}`);
      }
    }
    expect(wide).toEqual([]);
  });

  it('loads less than 200 KB before its first view', async () => {
    const { page } = await watched(browser, { url: shop.url });
    const client = await page.context().newCDPSession(page);
    await client.send('Network.enable');
    let bytes = 0;
    client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto('/sign-in', { waitUntil: 'networkidle' });
    expect(bytes).toBeLessThan(200_000);
  });

  it('opens a page for every address of a page that an answer has', async () => {
    const { page } = await signedIn();
    const answers = await Promise.all(
      [
        '/snapshots/admin/demo-production/-1',
        '/environments/admin/demo-production/events?per_page=5',
        '/deployments/admin?per_page=5',
        '/trails/admin/demo-web',
        '/trails/admin/demo-web/build-10',
        '/attestations/admin?flow_name=demo-web',
        '/asserts/admin/fingerprint/FINGERPRINT?environment_name=demo-production',
      ].map(async (path) => {
        const [{ fingerprint } = { fingerprint: '' }] = await shop.ask<readonly { fingerprint: string }[]>(
          'GET',
          '/artifacts/admin/demo-web',
        );
        return shop.ask<unknown>('GET', path.replace('FINGERPRINT', fingerprint));
      }),
    );
    const addresses = [...new Set(JSON.stringify(answers).match(/"(?:flow_)?html(?:_url)?":"([^"]+)"/g))].map((pair) =>
      pair.slice(pair.indexOf('http'), -1),
    );
    expect(addresses.length).toBeGreaterThan(8);
    const failing: string[] = [];
    for (const address of addresses) {
      await open(page, new URL(address).pathname + new URL(address).search);
      const title = await page.locator('h1').innerText();
      if (title.includes('No such page') || (await page.getByRole('alert').count()) > 0) failing.push(address);
    }
    expect(failing).toEqual([]);
  });
});
