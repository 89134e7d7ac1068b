import type { Browser } from 'playwright-core';
import { findings } from './support/axe';
import { openBrowser, openWatched, type WatchedPage } from './support/browser';
import { excess, misplaced, overlapping } from './support/layout';
import { BEFORE, fillNames, FLOW, NAMED, namesIn } from './support/names';
import { type Shop, startShop } from './support/shop';

jest.setTimeout(120_000);

const [[TAGGED = '', TAGGED_FINGERPRINT = ''] = [], [DIGEST_NAME = '', DIGEST = ''] = []] = namesIn(2);

const LISTS = [
  '/admin',
  `/admin/environments/${NAMED}`,
  ...['deployments', 'events', 'rules', 'components', 'exposure'].map(
    (tab) => `/admin/environments/${NAMED}?tab=${tab}`,
  ),
  `/admin/environments/${NAMED}/snapshots/2`,
  `/admin/compare?a=${BEFORE}&b=${NAMED}`,
  `/admin/compare?a=${NAMED}&b=demo-production`,
  '/admin/deployments?kind=all',
  '/admin/policies/reviewed',
  `/admin/flows/${FLOW}`,
  `/admin/flows/${FLOW}?tab=artifacts`,
  `/admin/flows/${FLOW}/artifacts/${TAGGED_FINGERPRINT}`,
  `/admin/artifacts/${namesIn(2)[2]?.[1]}`,
  `/admin/repositories/${encodeURIComponent('acme/shop')}`,
  `/admin/repositories/${encodeURIComponent('acme/shop')}?tab=deployments`,
  `/admin/search?q=${DIGEST}`,
  '/admin/search?q=settle',
];

describe('names of artifacts as reporters send them', () => {
  let shop: Shop;
  let browser: Browser;
  let reader: WatchedPage;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
    await fillNames(shop);
    reader = await openWatched(browser, shop);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  it.each(LISTS)('lie over nothing on %s at 390, 1,440 and 1,920 pixels', async (path) => {
    const { page, open, faults } = reader;
    for (const [i, width] of [390, 1440, 1920].entries()) {
      await page.setViewportSize({ width, height: 900 });
      if (i === 0) await open(path);
      expect([width, await overlapping(page), await misplaced(page), await excess(page)]).toEqual([width, [], [], 0]);
    }
    expect(faults.splice(0)).toEqual([]);
  });

  it('are short, with the whole name for a pointer and for a screen reader', async () => {
    const { page, open } = reader;
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(`/admin/environments/${NAMED}`);
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    const shown = async (name: string) => {
      const link = row(name).getByRole('link', { name, exact: true });
      const [title] = await link.locator('[title]').all();
      return [await link.locator('[aria-hidden]').innerText(), await title?.getAttribute('title')];
    };
    const tag = TAGGED.slice('tag:'.length);
    expect(await shown(TAGGED)).toEqual([`tag:${tag.slice(0, 12)}`, TAGGED]);
    const short = `registry.example.com:5000/team/name@${DIGEST.slice(0, 12)}`;
    expect(await shown(DIGEST_NAME)).toEqual([short, DIGEST_NAME]);
    await row(DIGEST_NAME).getByRole('button', { name: 'Copy fingerprint' }).first().waitFor();
    expect(await findings(page)).toEqual([]);
  });
});
