import type { Browser, Page } from 'playwright-core';
import { findings } from './support/axe';
import { waitForCount, openBrowser, openWatched } from './support/browser';
import { countClicks } from './support/clicks';
import { excess } from './support/layout';
import { type Shop, startShop } from './support/shop';
import { recordSixtyDays, type SixtyDays } from './support/sixty-days';

jest.setTimeout(180_000);

const PREFIX = 'tale';

describe('finding anything', () => {
  let shop: Shop;
  let browser: Browser;
  let history: SixtyDays;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
    history = await recordSixtyDays(shop, PREFIX);
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  const field = (page: Page) => page.getByRole('combobox', { name: 'Find anything' });
  const option = (page: Page, name: RegExp) => page.getByRole('option', { name }).first();

  it('leads by keys alone from any page to what was found (0 clicks)', async () => {
    const { page, open, faults, arrived } = await openWatched(browser, shop);
    const clicks = await countClicks(page);
    const late = history.built.filter(({ service }) => service === 'web').at(-1);
    const steps: readonly (readonly [typed: string, kind: RegExp, path: string])[] = [
      [history.production, /Environment tale-production/, `/admin/environments/${history.production}`],
      [`${PREFIX}/api`, /Repository tale\/api/, `/admin/repositories/${encodeURIComponent(`${PREFIX}/api`)}*`],
      [late?.name ?? '', /Artifact .*web/, `/admin/flows/${PREFIX}-web/artifacts/${late?.fingerprint}`],
      ['Ada of job', /Artifact .*author: Ada of job/, `/admin/flows/${PREFIX}-job/artifacts/*`],
      [late?.sha.slice(0, 9) ?? '', /Artifact .*commit/, `/admin/flows/${PREFIX}-web/artifacts/${late?.fingerprint}`],
      ['DEMO-CC8', /Control .*identifier: DEMO-CC8\.1/, '/admin/controls/DEMO-CC8.1'],
      [
        `Release ${late?.name}`,
        /Artifact .*commit message/,
        `/admin/flows/${PREFIX}-web/artifacts/${late?.fingerprint}`,
      ],
      ['demo-release', /Policy demo-release/, '/admin/policies/demo-release'],
      ['CVE-2021-44228', /Vulnerability CVE-2021-44228/, '/admin/vulnerabilities/CVE-2021-44228'],
      ['log4j-c', /Component .*log4j-core/, '/admin/components?component=*log4j-core'],
      ['Built by its vendor', /Exception vendor\/agent:7/, '/admin/environments/demo-functions'],
      ['admin', /Member admin/, '/admin/settings/members'],
      ['service acc', /Page Service accounts/, '/admin/settings/service-accounts'],
    ];
    for (const [typed, kind, path] of steps) {
      await open('/admin/policies');
      await page.keyboard.press('Control+K');
      await page.keyboard.type(typed);
      await option(page, kind).waitFor();
      await page
        .getByRole('status')
        .filter({ hasText: /results?$/ })
        .waitFor();
      const names = await page.getByRole('option').allInnerTexts();
      const at = names.findIndex((name) => kind.test(name.replaceAll('\n', ' ')));
      for (let i = 0; i <= at; i += 1) await page.keyboard.press('ArrowDown');
      expect(await waitForCount(page.locator('[role="option"][aria-selected="true"]'), 1)).toBe(1);
      await page.keyboard.press('Enter');
      await arrived(path);
      await page.getByRole('option').first().waitFor({ state: 'detached' });
      expect(await clicks()).toBe(0);
    }
    expect(faults).toEqual([]);
  });

  it('says that nothing was found, closes by Escape, and leads to all results', async () => {
    const { page, open, faults, arrived } = await openWatched(browser, shop);
    await open('/admin');
    await page.keyboard.press('/');
    await page.keyboard.type('no such thing');
    await page.getByText('Nothing found').waitFor();
    await field(page).fill(PREFIX);
    await option(page, /Environment/).waitFor();
    expect(await field(page).getAttribute('aria-expanded')).toBe('true');
    expect(await findings(page)).toEqual([]);
    for (const width of [360, 601, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await excess(page)]).toEqual([width, 0]);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    expect(await field(page).getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    await arrived(`/admin/search?q=${PREFIX}`);
    await page.getByRole('row', { name: /tale-staging Environment/ }).waitFor();
    await page.getByRole('row', { name: /tale\/web Repository/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    const built = history.built.find(({ service }) => service === 'web');
    await field(page).fill(`release ${built?.name}`);
    await page.keyboard.press('Enter');
    await page
      .getByRole('row', { name: `${built?.name} Artifact in ${PREFIX}-web, commit message: Release ${built?.name}` })
      .waitFor();
    const sha = 'c4'.repeat(20);
    const info = { sha1: sha, message: 'Mend the gate of guests', author: 'Bo' };
    const data = { name: 'pull-7', git_commit_info: info };
    await shop.form('PUT', `/trails/admin/${PREFIX}-web`, data);
    for (const [text, place] of [
      ['gate of', `commit message: ${info.message}`],
      [sha.slice(0, 8), `commit: ${sha}`],
    ] as const) {
      await field(page).fill(text);
      await page.keyboard.press('Enter');
      await page.getByRole('row', { name: `pull-7 Trail in ${PREFIX}-web, ${place}` }).waitFor();
    }
    expect(faults).toEqual([]);
  });

  it('never reads as not affected where no database names a vulnerability', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin');
    const text = 'No imported database and no SBOM names this. That does not say that nothing is affected.';
    await field(page).fill('CVE-2099-1');
    await page.getByRole('status').getByText(text).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Everything' }).getByText(text).waitFor();
    expect(await findings(page)).toEqual([]);
    await open('/admin/search?q=CVE-2021-44228');
    await page.getByRole('link', { name: 'CVE-2021-44228', exact: true }).waitFor();
    expect(await page.getByText(text).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows an artifact once among all results, with each of its flows', async () => {
    const late = history.built.filter(({ service }) => service === 'web').at(-1);
    const { name = '', sha = '', fingerprint = '' } = late ?? {};
    await shop.ask('PUT', '/flows/admin', { name: `${PREFIX}-other`, template: ['artifact'] });
    await shop.ask('POST', `/artifacts/admin/${PREFIX}-other`, {
      fingerprint,
      filename: name,
      git_commit: sha,
      trail_name: 'again',
      template_reference_name: 'artifact',
      build_url: 'https://ci.example.com/1',
      commit_url: 'https://git.example.com/1',
      repo_url: '',
    });
    const { page, go, faults } = await openWatched(browser, shop);
    // The artifacts come last, so that a list that does not wait for them would show one twice.
    let answer = () => undefined as void;
    const gate = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/v2/search/admin/sha/**', async (route) => {
      await gate;
      await route.continue();
    });
    await page.addInitScript(`
      new MutationObserver(() => {
        if (document.querySelector('table[aria-label="Everything"]') !== null) window.shown ??= performance.now();
      }).observe(document, { childList: true, subtree: true });
    `);
    const names = page.waitForResponse((response) => response.url().includes('/api/v2/search/admin?'));
    await go(`/admin/search?q=${fingerprint.slice(0, 12)}`);
    await (await names).finished();
    const released = await page.evaluate<number>('performance.now()');
    answer();
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await row.getByRole('link', { name: `${PREFIX}-other` }).waitFor();
    await page.getByText('Nothing else has this in its name').waitFor();
    expect(await waitForCount(row, 1)).toBe(1);
    const shownAt = await page.evaluate<number>('window.shown ?? performance.now()');
    expect(shownAt).toBeGreaterThan(released);
    expect(faults).toEqual([]);
  });

  it('begins each page at its title, as soon as that is there', async () => {
    const { page, open, faults, arrived } = await openWatched(browser, shop);
    await open('/admin/policies');
    // The page waits for its answer, so that its title comes after its address.
    let answer = () => undefined as void;
    const gate = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/v2/policies/admin/demo-release', async (route) => {
      await gate;
      await route.continue();
    });
    await page.getByRole('link', { name: 'demo-release', exact: true }).click();
    await arrived('/admin/policies/demo-release');
    answer();
    await page.locator('#title:focus').getByText('demo-release').waitFor();
    expect(faults).toEqual([]);
  });
});
