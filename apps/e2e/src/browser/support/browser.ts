import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { eventually } from '../../support/eventually';

/** Where Linux distributions put it; `ASSURANCE_TEST_CHROMIUM` names another. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** How long a page may take until it shows what is waited for (milliseconds). A demo takes 12 s on two cores that do nothing else. */
const PATIENCE_MS = 60_000;

/**
 * Starts the browser; throws where there is none, as a suite that skips what it cannot run proves nothing.
 *
 * @param host a name that leads to this machine, as pages are opened on a network
 */
export async function openBrowser(host?: string): Promise<Browser> {
  const executable = process.env['ASSURANCE_TEST_CHROMIUM'];
  const executablePath = executable ?? CHROMIUM.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('There is no Chromium: install the package `chromium`.');
  const names = host === undefined ? [] : [`--host-resolver-rules=MAP ${host} 127.0.0.1`];
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...names] });
}

/** A watched page and the faults that it showed. */
export interface WatchedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Violations of the policy, errors on the console, uncaught errors, requests to other hosts or other paths than the service's. */
  readonly faults: string[];
  /** Goes to a page by its path below the service's address. */
  go(path: string): Promise<void>;
  /** The same, and waits until the page has its title and nothing of it is on its way. */
  open(path: string): Promise<void>;
  /** Waits for a page by its whole path below the service's address. */
  arrived(path: string): Promise<void>;
}

interface Options {
  /** Of the service, without a slash at the end. */
  readonly url: string;
  /** An API key to sign in with. */
  readonly key?: string;
  /** Allowed messages of the console: refusals that the test provokes. */
  readonly expected?: RegExp;
}

/** A separate browser context without stored data, signed in if a key is given. */
export async function openWatched(browser: Browser, { url, key, expected }: Options): Promise<WatchedPage> {
  const context = await browser.newContext({ acceptDownloads: true });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    const text = `${message.type()}: ${message.text()}`;
    if (['error', 'warning'].includes(message.type()) && !expected?.test(text)) faults.push(`${page.url()} ${text}`);
  });
  page.on('pageerror', (fault) => faults.push(`${page.url()} ${fault.message}`));
  page.on('request', (request) => {
    const query = request.url();
    if (!query.startsWith(`${url}/`) && !/^(data|blob):/.test(query)) faults.push(`${page.url()} asked ${query}`);
  });
  const go = async (path: string) => void (await page.goto(`${url}${path}`));
  const open = async (path: string) => {
    await go(path);
    await waitUntilIdle(page);
  };
  if (key !== undefined) {
    await go('/sign-in');
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
  }
  return { context, page, faults, go, open, arrived: (path) => page.waitForURL(`${url}${path}`) };
}

/** Waits until a page has its title and nothing of it is on its way. */
async function waitUntilIdle(page: Page): Promise<void> {
  await page.locator('#title').waitFor();
  await page
    .locator('[data-loading]:not([data-later] *), main[aria-busy="true"]')
    .first()
    .waitFor({ state: 'detached' });
}

/** Waits for a number of elements, because a page keeps what it shows until the next list is there. Returns their number then, or after some patience. */
export function waitForCount(elements: Locator, expected: number): Promise<number> {
  return eventually(
    () => elements.count(),
    (count) => count === expected,
  );
}
