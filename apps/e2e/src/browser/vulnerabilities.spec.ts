import type { Browser, Page } from 'playwright-core';
import { findings } from './support/axe';
import { waitForCount, openBrowser, openWatched } from './support/browser';
import { FINGERPRINT } from './support/paths';
import { type Shop, startShop } from './support/shop';

jest.setTimeout(120_000);

const CVE = 'CVE-2021-44228';
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
    await shop.ask('POST', '/organizations', { name: 'empty' });
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/empty/vulnerabilities');
    await page.getByText('No vulnerabilities were imported').waitFor();
    await page.getByText('That is no all-clear').waitFor();
    expect(await findings(page)).toEqual([]);
    await open('/admin/vulnerabilities');
    await page.getByText(/\d+ artifacts of the organization have no SBOM/).waitFor();
    expect(faults).toEqual([]);
  });

  it('tell from when an environment was exposed, and which deployment ended that', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Vulnerabilities' }).click();
    await rowOf(page, new RegExp(`${CVE}.*Remote code injection.*Critical.*no longer.*demo-production`)).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Runs in' }).selectOption('demo-production');
    // A vulnerability that the shop states as not affecting stays listed.
    await rowOf(page, /DEMO-2024-0002.*High.*Runs now.*not affected/).waitFor();
    await rowOf(page, new RegExp(CVE)).waitFor({ state: 'hidden' });
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

  it('list those of an artifact, with the component and who says so', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open(`/admin/flows/demo-web/artifacts/${FINGERPRINT}`);
    const parts = page.getByRole('navigation', { name: 'Parts of the artifact' });
    await parts.getByRole('link', { name: 'Vulnerabilities' }).click();
    await page.getByText('The artifact has an SBOM.').waitFor();
    await rowOf(
      page,
      new RegExp(`${CVE}.*Critical.*log4j-core 2\\.14\\.1.*fixed in 2\\.15\\.0.*entry .*no statement`),
    ).waitFor();
    await page.getByRole('region', { name: 'Where it runs and ran with them' }).getByText('demo-production').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('draw the exposure of an environment, beside its components', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/environments/demo-production');
    const parts = page.getByRole('navigation', { name: 'Parts of the environment' });
    await parts.getByRole('link', { name: 'Components' }).click();
    await rowOf(page, /log4j-core 2\.17\.1.*Apache-2\.0.*1/).waitFor();
    await page.getByText(/of what runs here now ha(s|ve) no SBOM/).waitFor();
    expect(await findings(page)).toEqual([]);
    await parts.getByRole('link', { name: 'Exposure' }).click();
    await page.getByRole('img', { name: /Vulnerabilities each day: at most 4, [24] at the end/ }).waitFor();
    await page.getByText('The figures as a table').click();
    // Version 2.10 came within this day: what it fixed, and what a scanner found in 2.9, ran on it, too.
    await rowOf(page, /\d{4}-\d{2}-\d{2} 1 1 2 0 0/)
      .first()
      .waitFor();
    await page.getByRole('combobox', { name: 'Time', exact: true }).selectOption('90');
    await page.getByRole('img', { name: /Vulnerabilities each day: at most 4/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('import a file, or say in plain words why not', async () => {
    const { page, open, faults } = await openWatched(browser, { ...shop, expected: /Failed to load resource.*400/ });
    await open('/admin/vulnerabilities');
    const file = (name: string, value: unknown) => ({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(value)),
    });
    const entry = { id: 'DEMO-2024-0003', modified: '2024-12-09T09:00:00Z', summary: 'Of nothing that runs' };
    await page.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import vulnerabilities' });
    // The chooser looks like other buttons, and the keyboard reaches it.
    const chooser = dialog.getByLabel('File', { exact: true });
    await chooser.press('Tab');
    await page.mouse.move(0, 0);
    const [look, usual] = await page.evaluate<object[]>(`(() => {
      const look = (node, part) => {
        const { fontFamily, fontSize, fontWeight, borderRadius, color, backgroundColor } = getComputedStyle(node, part);
        return { fontFamily, fontSize, fontWeight, borderRadius, color, backgroundColor };
      };
      const cancel = [...document.querySelectorAll('dialog button, [role="dialog"] button')].find(
        ({ textContent }) => textContent === 'Cancel',
      );
      return [look(document.querySelector('input[type="file"]'), '::file-selector-button'), look(cancel)];
    })()`);
    expect(look).toEqual(usual);
    await page.keyboard.press('Shift+Tab');
    expect(await waitForCount(dialog.locator('input[type="file"]:focus'), 1)).toBe(1);
    await dialog.getByLabel('File', { exact: true }).setInputFiles(file('bad.json', [{ id: 'DEMO-2024-0003' }]));
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('Nothing was imported. The file cannot be read: 0.modified: Field required').waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByLabel('File', { exact: true }).setInputFiles(file('good.json', [entry]));
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('Imported good.json with 1 vulnerability and 0 VEX statements.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText(/Last import: good\.json.* with 1 vulnerability and 0 VEX statements\./).waitFor();
    await page.getByRole('button', { name: 'Import' }).click();
    await dialog.getByLabel('File', { exact: true }).setInputFiles(file('same.json', [entry]));
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('was imported before. Nothing changed.').waitFor();
    expect(faults).toEqual([]);
  });
});
