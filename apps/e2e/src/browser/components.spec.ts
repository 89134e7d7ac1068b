import { readFile } from 'node:fs/promises';
import { exampleHash } from '@assurance/web/made-up';
import type { Browser, Page } from 'playwright-core';
import { sbomForm, sbomOf } from '../support/samples';
import { waitForCount, openBrowser, openWatched } from './support/browser';
import { FINGERPRINT } from './support/paths';
import { type Shop, startShop } from './support/shop';

jest.setTimeout(120_000);

const LOG4J = 'org.apache.logging.log4j/log4j-core';

describe('pages of components', () => {
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

  /** Attests an SBOM with one component to the eighth version of the web shop. */
  async function attest(name: string, version: string) {
    const bom = sbomOf([{ name, version, purl: `pkg:npm/${name}@${encodeURIComponent(version)}` }]);
    const form = sbomForm(bom, exampleHash(64, 'demo-web 2.8'));
    const headers = { authorization: `Bearer ${shop.key}` };
    const path = '/api/v2/attestations/admin/demo-web/trail/build-8/system';
    expect((await fetch(`${shop.url}${path}`, { method: 'POST', headers, body: form })).status).toBe(201);
  }

  const rowOf = (page: Page, name: RegExp) => page.getByRole('row', { name });

  async function downloaded(page: Page, button: string, panel: string): Promise<string> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('region', { name: panel }).getByRole('button', { name: button }).click(),
    ]);
    return readFile(await file.path(), 'utf8');
  }

  it('tell where a version runs, and when it was gone, from a link of the menu', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Components' }).click();
    await page.getByRole('heading', { name: 'What can be asked' }).waitFor();
    await page.getByLabel('Package URL or name').fill('log4j-core');
    await page.getByLabel('Version or range').fill('>=2,<2.17');
    await page.getByLabel('Environment').selectOption('demo-production');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await rowOf(page, /log4j-core 2\.14\.1.*shop\/web:2\.9.*acme\/shop-web.*gone .*snapshot 20/).waitFor();
    expect(await waitForCount(page.getByRole('row'), 2)).toBe(2);
    // An empty list is no all-clear: the page shows how many artifacts may have it too.
    await page.getByText('15 artifacts that ever ran in demo-production have no SBOM').waitFor();
    const address = new URL(page.url()).searchParams;
    expect(Object.fromEntries(address)).toEqual({
      component: 'log4j-core',
      version: '>=2,<2.17',
      env: 'demo-production',
    });
    const csv = await downloaded(page, 'Export CSV', 'Artifacts with it');
    const lines = csv.trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(
      `"${LOG4J}","2.14.1","pkg:maven/${LOG4J}@2.14.1","Apache-2.0","shop/web:2.9","${FINGERPRINT}"`,
    );

    await page.getByLabel('Version or range').fill('');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await rowOf(page, /log4j-core 2\.17\.1.*Runs now/).waitFor();
    await page.goBack();
    await rowOf(page, /log4j-core 2\.17\.1/).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Version or range').inputValue()).toBe('>=2,<2.17');
    expect(faults).toEqual([]);
  });

  it('never take an empty list for an all-clear, and say what cannot be compared or answered', async () => {
    const { page, open, faults } = await openWatched(browser, { ...shop, expected: /Failed to load resource.*400/ });
    await open('/admin/components?component=left-pad');
    await page.getByText('That is no all-clear').waitFor();
    await page.getByText(/\d+ artifacts of the organization have no SBOM/).waitFor();
    await attest('odd', 'not a version');
    await open('/admin/components?component=odd&version=%3C2');
    await page.getByText('1 version cannot be compared with this range').waitFor();
    await page.getByText('That is no all-clear').waitFor();
    await page.getByRole('link', { name: 'odd not a version' }).click();
    await rowOf(page, /odd not a version.*shop\/web:2\.8/).waitFor();
    await open('/admin/components?component=odd&version=%3E%3E1');
    await page.getByText('Input should be a range of versions').waitFor();
    expect(faults).toEqual([]);
  });

  it('tell what an artifact contains, under which licences', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open(`/admin/flows/demo-web/artifacts/${FINGERPRINT}`);
    await page
      .getByRole('navigation', { name: 'Parts of the artifact' })
      .getByRole('link', { name: 'Components' })
      .click();
    await page.getByText('The artifact has an SBOM').waitFor();
    const listed = (name: RegExp) =>
      page.getByRole('region', { name: 'Components', exact: true }).getByRole('row', { name });
    await rowOf(page, /^Apache-2\.0 5/).waitFor();
    await page.getByLabel('Name or version').fill('42.7');
    await listed(/log4j-core/).waitFor({ state: 'detached' });
    await listed(/postgresql 42\.7\.4.*BSD-2-Clause/).waitFor();
    await page.getByLabel('Name or version').fill('');
    await page.getByRole('combobox', { name: 'Licence' }).selectOption('MIT');
    await listed(/postgresql 42\.7\.4/).waitFor({ state: 'detached' });
    await listed(/slf4j-api 2\.0\.16/).waitFor();
    const licences = await downloaded(page, 'Export CSV', 'Licences');
    expect(licences.split('\r\n').slice(0, 2)).toEqual([
      expect.stringContaining('"licence","component_count","components"') as string,
      expect.stringMatching(/^"Apache-2\.0",5,/) as string,
    ]);
    await page.getByRole('link', { name: 'org.slf4j/slf4j-api 2.0.16' }).click();
    await rowOf(page, /slf4j-api.*shop\/web:2\.9/).waitFor();
    await rowOf(page, /slf4j-api.*shop\/web:2\.10/).waitFor();
    expect(faults).toEqual([]);
  });

  it('tell which components two snapshots do not share', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/compare?a=demo-production%2319&b=demo-production%2320');
    const parts = page.getByRole('navigation', { name: 'Parts of the difference' });
    await parts.getByRole('link', { name: 'Components' }).click();
    await rowOf(page, /log4j-core 2\.14\.1 2\.17\.1/).waitFor();
    await page.getByText('6 components are the same in both').waitFor();
    for (const index of [19, 20]) await page.getByText(`1 artifact of demo-production#${index} has no SBOM`).waitFor();
    // Another choice stays with the components.
    await page.getByLabel('From', { exact: true }).fill('demo-production#18');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('heading', { name: 'Only in demo-production#18' }).waitFor();
    await rowOf(page, /log4j-core 2\.17\.1/).waitFor();
    expect(faults).toEqual([]);
  });
});
