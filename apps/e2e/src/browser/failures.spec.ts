import type { Browser } from 'playwright-core';
import { freePort } from '../support/free-port';
import { Place, type Process } from '../support/process';
import { waitForCount, openBrowser, openWatched } from './support/browser';
import { keyOf } from './support/shop';

jest.setTimeout(120_000);

/** What a browser logs for an error answer, and where nothing answers. */
const REFUSED = /Failed to load resource|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|Failed to fetch/;

describe('what goes wrong on the pages', () => {
  const place = new Place();
  let browser: Browser;
  let service: Process;
  let settings: Readonly<Record<string, string>>;
  let shop: { readonly url: string; readonly key: string };

  beforeAll(async () => {
    browser = await openBrowser();
    settings = { ASSURANCE_PORT: String(await freePort()), ASSURANCE_OPERATIONS_PORT: '0' };
    service = place.start(settings);
    shop = { url: await service.url(), key: keyOf(service) };
  });

  afterAll(async () => {
    await browser?.close();
    await place.clear();
  });

  it('a refused form says each error once, and takes the first click after it', async () => {
    const { page, open } = await openWatched(browser, { ...shop, expected: REFUSED });
    await open('/admin/environments');
    await page.getByRole('button', { name: 'New environment' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('not a name');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await waitForCount(dialog.getByText(/begins with a letter or digit/), 1)).toBe(1);
    expect(await waitForCount(dialog.getByText(/pattern/), 0)).toBe(0);
    expect(await waitForCount(dialog.getByText('Input payload validation failed'), 0)).toBe(0);
    await dialog.getByLabel('Name', { exact: true }).fill('a-name');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'a-name', exact: true }).waitFor();
  });

  it('a click beside a dialog keeps what was typed, and closes an untouched one', async () => {
    const { page, open } = await openWatched(browser, { ...shop, expected: REFUSED });
    await open('/admin/environments');
    await page.getByRole('button', { name: 'New environment' }).first().click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Name', { exact: true });
    await name.waitFor();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New environment' }).first().click();
    await name.fill('typed');
    await page.mouse.click(5, 5);
    await page.mouse.click(5, 5);
    expect(await name.inputValue()).toBe('typed');
    // The dialog takes the focus back.
    await dialog.locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('the navigation of a narrow page closes by Escape, and by a click beside it', async () => {
    const { page, open } = await openWatched(browser, { ...shop, expected: REFUSED });
    await page.setViewportSize({ width: 390, height: 800 });
    await open('/admin/environments');
    const menu = page.getByRole('button', { name: 'Navigation' });
    const links = page.getByRole('navigation', { name: 'Main' });
    for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(380, 700)]) {
      await menu.click();
      await links.waitFor({ state: 'visible' });
      await close();
      await links.waitFor({ state: 'hidden' });
    }
  });

  it('says since when the service does not answer, and goes on by itself', async () => {
    const { page, open } = await openWatched(browser, { ...shop, expected: REFUSED });
    await open('/admin/environments');
    await service.kill();
    const lost = page.getByText('The service has not answered since');
    await lost.waitFor();
    // A page that is opened meanwhile shows its answer when there is one.
    await page.getByRole('link', { name: 'Policies' }).click();
    await page.getByText('This page could not be loaded').waitFor();
    service = place.start(settings);
    await service.url();
    await lost.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Policies', exact: true }).waitFor();
  });

  it('loads a page again whose files a newer release has replaced', async () => {
    const { page, open } = await openWatched(browser, { ...shop, expected: /./ });
    await open('/admin/environments');
    let replaced = true;
    await page.route('**/assets/*.js', (route) => (replaced ? route.fulfill({ status: 404 }) : route.continue()));
    const loaded = page.waitForEvent('framenavigated', () => {
      replaced = false;
      return true;
    });
    await page.getByRole('link', { name: 'Policies' }).click();
    await loaded;
    await page.getByRole('heading', { name: 'Policies', exact: true }).waitFor();
  });
});
