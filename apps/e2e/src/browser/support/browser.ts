import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** Where Linux distributions put it; `ASSURANCE_TEST_CHROMIUM` names another. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts the browser; throws where there is none, as a suite that skips what it cannot run proves nothing. */
export async function openBrowser(): Promise<Browser> {
  const named = process.env['ASSURANCE_TEST_CHROMIUM'];
  const executablePath = named ?? CHROMIUM.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('There is no Chromium: install the package `chromium`.');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** What no page may do, as it comes. */
export interface Watched {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Violations of the policy, errors on the console, uncaught errors, requests to other hosts. */
  readonly faults: string[];
}

interface Options {
  readonly url: string;
  /** An API key to sign in with. */
  readonly key?: string;
  /** Whether the policy of the pages is set aside: for tools of tests that bring scripts along. */
  readonly bypassCSP?: boolean;
  /** What the console may say: refusals that the test provokes. */
  readonly expected?: RegExp;
}

/** A browser of its own, without what others have stored, that is signed in where a key is given. */
export async function watched(browser: Browser, options: Options): Promise<Watched> {
  const { url, key, bypassCSP = false, expected } = options;
  const context = await browser.newContext({ baseURL: url, bypassCSP, acceptDownloads: true });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    const text = `${message.type()}: ${message.text()}`;
    if (['error', 'warning'].includes(message.type()) && !expected?.test(text)) faults.push(`${page.url()} ${text}`);
  });
  page.on('pageerror', (fault) => faults.push(`${page.url()} ${fault.message}`));
  page.on('request', (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${url}/`) && !/^(data|blob):/.test(asked)) faults.push(`${page.url()} asked ${asked}`);
  });
  if (key !== undefined) await signIn(page, key);
  return { context, page, faults };
}

/** Signs in with a key on the sign-in page, and waits for the page behind it. */
async function signIn(page: Page, key: string): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
}

/** Opens a page and waits until it has its title and nothing of it is on its way. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('#title').waitFor();
  await page.locator('[data-loading], main[aria-busy="true"]').first().waitFor({ state: 'detached' });
}
