import type { Browser } from 'playwright-core';
import { eventually } from '../support/eventually';
import { openBrowser, openWatched } from './support/browser';
import { type Shop, startShop } from './support/shop';

jest.setTimeout(120_000);

const HOST = 'assurance.example';

describe('pages over plain HTTP by the name of a host', () => {
  let shop: Shop;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    browser = await openBrowser(HOST);
    shop = await startShop();
    url = `http://${HOST}:${new URL(shop.url).port}`;
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  it('follow what changes, without an error on the console', async () => {
    const { page, open, faults } = await openWatched(browser, { ...shop, url });
    expect(await page.evaluate('isSecureContext')).toBe(false);
    await open('/admin/environments');
    await shop.ask('PUT', '/environments/admin', { name: 'made-meanwhile', type: 'docker' });
    await page.getByRole('link', { name: 'made-meanwhile', exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('copy a text', async () => {
    const { page, open, faults } = await openWatched(browser, { ...shop, url });
    const other = await browser.newContext();
    await open('/admin/deployments');
    await page.getByRole('button', { name: /^Copy/ }).first().click();
    await page.getByRole('status').getByText('Copied').first().waitFor();
    const field = (await other.newPage()).getByLabel('API key');
    await field.page().goto(`${url}/sign-in`);
    await field.focus();
    await field.page().keyboard.press('Control+V');
    expect(
      await eventually(
        () => field.inputValue(),
        (value) => value !== '',
      ),
    ).toMatch(/^[a-f0-9]{64}$/);
    expect(faults).toEqual([]);
  });
});
