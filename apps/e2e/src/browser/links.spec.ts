import { routes } from '@assurance/contracts/http/routes/routes';
import type { Browser } from 'playwright-core';
import { openBrowser, openWatched, type WatchedPage } from './support/browser';
import { FINGERPRINT } from './support/paths';
import { type Shop, startShop } from './support/shop';

jest.setTimeout(120_000);

/** Things of the demo that paths can name. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  org: ['admin'],
  env: ['demo-production', 'demo-functions', 'demo-customers'],
  flow: ['demo-web', 'demo-checkout'],
  trail: ['build-9'],
  fingerprint: [FINGERPRINT],
  value: [FINGERPRINT],
  sha: [FINGERPRINT.slice(0, 40)],
  expr: ['-1', '13'],
  repo: ['acme/shop-web'],
  name: ['tests', 'scan', 'review', 'acme/shop-web', 'demo-coverage'],
  policy: ['demo-release'],
  control: ['DEMO-CC8.1'],
  notification_number: ['1'],
};
const QUERIES: Readonly<Record<string, string>> = {
  '/api/v2/env-diff/{org}': '?snappish1=demo-production&snappish2=demo-staging',
  '/api/v2/compare/{org}': '?from=demo-production&to=demo-staging',
  '/api/v2/attestations/{org}': '?flow_name=demo-web',
  '/api/v2/asserts/{org}/fingerprint/{fingerprint}': '?environment_name=demo-production',
};
/** How many addresses of a kind are opened. */
const EACH = 2;

/** Every path that a GET of one organization can have, without those that name things that the demo does not have. */
function testedPaths(): string[] {
  return Object.values(routes).flatMap(({ method, path, permission, media }) => {
    if (method !== 'GET' || permission === 'public' || media !== undefined || path.includes('/changes/')) return [];
    let paths = [path.slice('/api/v2'.length)];
    for (const [whole, name = ''] of path.matchAll(/\{(\w+)(?:\.\.\.)?\}/g)) {
      paths = paths.flatMap((path) =>
        (VALUES[name] ?? []).map((value) => path.replace(whole, encodeURIComponent(value))),
      );
    }
    return paths.map((pagePath) => pagePath + (QUERIES[path] ?? ''));
  });
}

/** Every address of a page in an answer, by the name of its field. */
function pagesIn(answer: unknown, field = ''): string[] {
  if (typeof answer === 'string') return /(^|_)html(_url)?$/.test(field) ? [answer] : [];
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([name, value]) => pagesIn(value, Array.isArray(answer) ? field : name));
}

/** The kind of a page: its path without what names one thing. */
const kindOf = ({ pathname, searchParams }: URL) =>
  [...pathname.split('/').filter((_, i) => i % 2 === 0), ...searchParams.keys()].join('/');

describe('addresses of pages in answers of the API', () => {
  let shop: Shop;
  let browser: Browser;
  let reader: WatchedPage;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
    reader = await openWatched(browser, shop);
  });

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  it('each open a page', async () => {
    const { page, faults, open } = reader;
    const kinds = new Map<string, URL[]>();
    for (const path of testedPaths()) {
      // Not every name is there below every other: a flow of one name has no trail of the other's.
      const answer = await shop.ask<unknown>('GET', path).catch(() => null);
      for (const address of pagesIn(answer)) {
        const url = new URL(address);
        expect(url.port).toBe(new URL(shop.url).port);
        const kind = kindOf(url);
        const cached = kinds.get(kind) ?? [];
        if (!cached.some(({ href }) => href === address)) kinds.set(kind, [...cached, url]);
      }
    }
    expect([...kinds.keys()].sort()).toEqual([
      '/environments',
      '/environments/snapshots',
      '/flows',
      '/flows/artifacts/artifact_id',
      '/flows/trails',
      '/flows/trails/attestation_id',
    ]);
    const failing: string[] = [];
    for (const urls of kinds.values()) {
      for (const { pathname, search } of [...urls.slice(0, EACH), ...urls.slice(-1)]) {
        await open(pathname + search);
        const title = await page.locator('h1').innerText();
        const alerts = await page.getByRole('alert').allInnerTexts();
        if (title.includes('No such page') || alerts.length > 0)
          failing.push(`${pathname}${search}: ${alerts.join(' ')}`);
      }
    }
    expect(failing).toEqual([]);
    expect(faults).toEqual([]);
  });

  it.each([
    ['Documents', 'Documents · Deployment Assurance'],
    ['API reference', 'Deployment Assurance: API reference'],
  ])('of other pages are in the menu of the account: %s', async (item, title) => {
    const { page, context, faults, open } = reader;
    await open('/admin');
    await page.getByRole('button', { name: 'Account of admin' }).click();
    const opened = context.waitForEvent('page');
    await page.getByRole('menuitem', { name: item }).click();
    const other = await opened;
    await other.waitForLoadState('domcontentloaded');
    expect(await other.title()).toBe(title);
    await other.close();
    expect(faults).toEqual([]);
  });
});
