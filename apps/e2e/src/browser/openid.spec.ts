import type { Browser } from 'playwright-core';
import { TestProvider } from '../support/openid/provider';
import { Place, type Process } from '../support/process';
import { waitForCount, openBrowser } from './support/browser';

jest.setTimeout(120_000);

/** The name of the provider: hostile, and from right to left. */
const NAME = '<img src=x onerror=alert(1)> שלום';

describe('signing in at a provider, on the pages', () => {
  const place = new Place();
  let browser: Browser;
  let provider: TestProvider;
  let service: Process;
  let url: string;

  beforeAll(async () => {
    browser = await openBrowser();
    provider = await TestProvider.start();
    const domains = { ASSURANCE_OPENID_EMAIL_DOMAINS: 'example.com', ASSURANCE_OPENID_NAME: NAME };
    service = place.start({ ASSURANCE_OPERATIONS_PORT: '0', ...provider.settings(domains) });
    // As the service calls itself: the provider sends back there.
    url = `http://localhost:${new URL(await service.url()).port}`;
    await provider.redirects(`${url}/api/v2/sign-in/openid/callback`);
    await provider.account('ada', { preferred_username: 'ada', email: 'ada@example.com', email_verified: true });
    await provider.account('grace', { email: 'grace@example.com', email_verified: true });
    await provider.account('eve', { preferred_username: 'eve', email: 'eve@evil.example', email_verified: true });
  });

  afterAll(async () => {
    await browser.close();
    await service.stop();
    await place.clear();
    await provider.stop();
  });

  /** A browser of its own, which reaches the service and the provider and nobody else. @returns what the pages of the service did wrong */
  async function visit(path: string) {
    const context = await browser.newContext({ baseURL: url });
    await context.route(
      (request) => ![new URL(url).origin, provider.issuer].includes(request.origin),
      (route) => route.abort(),
    );
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => {
      const isOwn = message.type() === 'error' && page.url().startsWith(url);
      // The pages ask who is signed in.
      if (isOwn && !/401 \(Unauthorized\)/.test(message.text())) faults.push(message.text());
    });
    page.on('pageerror', (fault) => faults.push(fault.message));
    await page.goto(path);
    return { context, page, faults };
  }

  /** Goes through the pages of the provider. */
  async function signIn(page: Awaited<ReturnType<typeof visit>>['page'], login: string): Promise<void> {
    await page.getByRole('link', { name: `Sign in with ${NAME}` }).click();
    await page.locator('input[name="login"]').fill(login);
    await page.locator('input[name="password"]').fill('any');
    await page.locator('button[type="submit"]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  it('leads back to the page, with a cookie that no script reads, and ends with sign-out', async () => {
    const { page, context, faults } = await visit('/ada/flows?page=1');
    await signIn(page, 'ada');
    await page.waitForURL(`${url}/ada/flows?page=1`);
    await page.getByRole('heading', { name: 'Flows', exact: true }).waitFor();
    const cookies = (await context.cookies(url)).filter(({ name }) => name.startsWith('assurance'));
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: 'assurance_session', httpOnly: true, sameSite: 'Lax' },
    ]);
    await page.getByRole('button', { name: 'Account of ada' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows why a sign-in is refused, with the request id', async () => {
    const { page, context, faults } = await visit('/');
    await signIn(page, 'eve');
    const alert = page.getByRole('alert');
    await alert.getByText('an email address of a domain that may sign in').waitFor();
    expect(await waitForCount(alert.getByText(/^Request [\w-]{10,}$/), 1)).toBe(1);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('says what to do where the provider does not send the groups', async () => {
    await provider.account('hedy', { email: 'hedy@example.com', email_verified: true, id_token: { hasgroups: true } });
    const { page, context, faults } = await visit('/hedy/settings/sign-in');
    await signIn(page, 'hedy');
    await page.getByRole('alert').getByText('only groups that are assigned to this application').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('attaches the account to a user who signed in with a key, and detaches it', async () => {
    const key = /shown only now:\s+(\S+)/.exec(service.out)?.[1] ?? '';
    const { page, context, faults } = await visit('/admin/settings/sign-in');
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('You sign in with an API key').waitFor();
    await page.getByRole('button', { name: 'Attach an account' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('input[name="login"]').fill('grace');
    await page.locator('input[name="password"]').fill('any');
    await page.locator('button[type="submit"]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    const row = page.getByRole('row', { name: 'grace@example.com' });
    await row.getByRole('button', { name: 'Detach' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Detach' }).click();
    await page.getByText('You sign in with an API key').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
