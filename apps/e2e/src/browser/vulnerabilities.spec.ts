import type { Browser, Page } from 'playwright-core';
import { findings } from './support/axe';
import { openBrowser, watched } from './support/browser';
import { type Shop, startShop } from './support/shop';

jest.setTimeout(120_000);

const CVE = 'CVE-2021-44228';
/** What the demo's version 2.9 of the web shop has, and 2.10 has not. */
const ENTRY = {
  ...{ id: 'GHSA-jfh8-c2jp-5v3q', aliases: [CVE], summary: 'Remote code injection in Log4j' },
  ...{ published: '2021-12-10T00:40:56Z', modified: '2024-06-25T00:00:00Z' },
  database_specific: { severity: 'CRITICAL' },
  affected: [
    {
      package: { ecosystem: 'Maven', name: 'org.apache.logging.log4j:log4j-core' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '2.4' }, { fixed: '2.15.0' }] }],
    },
  ],
};

describe('pages of vulnerabilities', () => {
  let shop: Shop;
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  const rowOf = (page: Page, name: RegExp) => page.getByRole('row', { name });

  it('never take an empty list for an all-clear', async () => {
    const { page, open, faults } = await watched(browser, shop);
    await open('/admin/vulnerabilities');
    await page.getByText('No vulnerabilities were imported').waitFor();
    await page.getByText('That is no all-clear').waitFor();
    await page.getByText(/\d+ artifacts of the organization have no SBOM/).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('tell from when an environment was exposed, and which deployment ended that', async () => {
    const form = new FormData();
    form.set('data_json', '{}');
    form.set('attachment_file', new Blob([JSON.stringify(ENTRY)]), 'osv.json');
    const headers = { authorization: `Bearer ${shop.key}` };
    const answer = await fetch(`${shop.url}/api/v2/vulnerabilities/admin`, { method: 'POST', headers, body: form });
    expect(answer.status).toBe(201);
    const { page, open, faults } = await watched(browser, shop);
    await open('/admin');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Vulnerabilities' }).click();
    await rowOf(page, new RegExp(`${CVE}.*Remote code injection.*Critical.*no longer.*demo-production`)).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Runs now in' }).selectOption('demo-production');
    await page.getByText('None is known').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: CVE }).click();
    await page.getByRole('heading', { name: `Vulnerability ${CVE}` }).waitFor();
    const moments = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
    expect((await moments.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringContaining('Published') as string,
      expect.stringContaining('Exposed in demo-staging since snapshot 20') as string,
      expect.stringContaining('Exposed in demo-production since snapshot 19') as string,
      expect.stringContaining('Gone from demo-staging by the deployment of snapshot 21') as string,
      expect.stringContaining('Gone from demo-production by the deployment of snapshot 20') as string,
    ]);
    await rowOf(page, /log4j-core 2\.14\.1.*fixed in 2\.15\.0.*shop\/web:2\.9.*no statement/).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
