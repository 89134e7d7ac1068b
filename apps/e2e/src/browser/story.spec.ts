import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { waitForCount, openBrowser, openWatched } from './support/browser';
import { DEPLOYMENTS, type Shop, startShop } from './support/shop';
import { waitLimit } from './support/work';

jest.setTimeout(120_000);

const VERIFY = resolve(__dirname, '../../../../libs/features/audit/dist/package/main.js');
/** The message that a browser logs for an error answer. */
const REFUSED = /Failed to load resource/;

/** Markup, a script's address, text from right to left, wide characters, and a long word. */
const HOSTILE = `<img src=x onerror=alert(1)> "'\${1} שלום ‮abc 環境 ${'long'.repeat(60)}`;

const HOSTILE_POLICY = {
  field: 'policy_file',
  text: `# ${HOSTILE}\n_schema: https://example.com/schemas/policy/v1\nartifacts:\n  provenance: { required: true }\n`,
};

describe.each(DEPLOYMENTS)('what people do on the pages of the %s deployment', (deployment) => {
  let shop: Shop;
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop(deployment);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  it('leads users who are not signed in to the sign-in page, and back', async () => {
    const { page, go, arrived, faults, context } = await openWatched(browser, { url: shop.url, expected: REFUSED });
    await go('/admin/flows?page=1');
    await page.getByLabel('API key').fill('a-wrong-key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This is no key of the service').waitFor();
    await page.getByLabel('API key').fill(shop.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await arrived('/admin/flows?page=1');
    await page.getByRole('heading', { name: 'Flows', exact: true }).waitFor();
    const stored = await context.cookies();
    expect(stored.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).toEqual([
      { httpOnly: true, sameSite: 'Lax' },
    ]);
    await page.getByRole('button', { name: 'Account of admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    await go('/admin');
    await arrived('/sign-in?return_to=%2Fadmin');
    expect(faults).toEqual([]);
  });

  it('can be used with the keyboard only', async () => {
    const { page, open } = await openWatched(browser, shop);
    await open('/admin');
    await page.keyboard.press('/');
    await page.keyboard.type('demo-web');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'demo-web', exact: true }).waitFor();
    await open('/admin/environments');
    await page.getByRole('button', { name: 'New environment' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New environment' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows readers the content without controls that change it', async () => {
    const org = `shared-${Date.now()}`;
    await shop.ask('POST', '/organizations', { name: org });
    await shop.ask('PUT', `/environments/${org}`, { name: 'production', type: 'docker' });
    await shop.ask('POST', `/service-accounts/${org}`, { name: 'auditor', privilege: 'reader' });
    const keys = `/service-accounts/${org}/auditor/api-keys`;
    const { key } = await shop.ask<{ key: string }>('POST', keys, { description: 'reads' });
    const { page, go, open } = await openWatched(browser, { url: shop.url, key });
    await open(`/${org}/environments/production`);
    await page.getByRole('heading', { name: 'Environment production' }).waitFor();
    for (const name of ['Edit', 'Archive', 'New environment', 'Invite']) {
      expect(await waitForCount(page.getByRole('button', { name, exact: true }), 0)).toBe(0);
    }
    await go('/admin/environments');
    await page.getByText('You are not a member of an organization').waitFor();
    expect(await waitForCount(page.getByText('demo-production'), 0)).toBe(0);
  });

  it('renders hostile text as text', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await shop.ask('PUT', '/environments/admin', { name: 'hostile', type: 'docker', description: HOSTILE });
    await shop.ask('PUT', '/environments/admin/hostile/report/docker', {
      artifacts: [{ digests: { [HOSTILE]: 'ab'.repeat(32) }, creationTimestamp: 1 }],
    });
    const git_commit_info = { sha1: '1'.repeat(40), message: HOSTILE, author: HOSTILE, timestamp: 1, branch: HOSTILE };
    const trail = {
      name: 'hostile',
      description: HOSTILE,
      git_commit_info,
      origin_url: 'https://example.com/"><script>',
    };
    await shop.form('PUT', '/trails/admin/demo-web', trail);
    await shop.form('POST', '/attestations/admin/demo-web/trail/hostile/pull_request', {
      attestation_name: 'review',
      pull_requests: [{ url: 'javascript:alert(1)', title: HOSTILE, approvers: [HOSTILE] }],
    });
    await shop.form('POST', '/attestations/admin/demo-web/trail/hostile/generic', {
      attestation_name: 'payload',
      is_compliant: true,
      description: HOSTILE,
      origin_url: 'https://example.com/"><script>',
      user_data: { [HOSTILE]: HOSTILE },
    });
    await shop.form(
      'PUT',
      '/policies/admin',
      { name: 'hostile', description: HOSTILE, comment: HOSTILE },
      HOSTILE_POLICY,
    );
    for (const path of [
      '/admin/environments',
      '/admin/environments/hostile',
      '/admin/flows/demo-web',
      '/admin/flows/demo-web/trails/hostile',
      '/admin/policies/hostile',
    ]) {
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await open(path);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      }
      expect(await waitForCount(page.locator('a[href^="javascript:" i], img[src="x"]'), 0)).toBe(0);
      await page.getByText('⟨U+202E⟩abc').first().waitFor();
      expect(await page.evaluate<boolean>('/\\u202e/.test(document.title + document.body.innerText)')).toBe(false);
    }
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('creates a notification, and sends a test of it', async () => {
    const receiver = await Receiver.start();
    const { page, open } = await openWatched(browser, shop);
    await open('/admin/notifications');
    await page.getByRole('button', { name: 'New notification' }).click();
    await page.getByLabel('Name', { exact: true }).fill('to-us');
    await page.getByLabel('Address').fill(receiver.url('/hook'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'to-us' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('A test message is on its way').waitFor();
    const messages = await eventually(
      () => Promise.resolve(receiver.received),
      ({ length }) => length > 0,
    );
    expect(messages).toHaveLength(1);
    await receiver.stop();
  });

  it('downloads an audit package that verifies', async () => {
    const { page, open } = await openWatched(browser, shop);
    await open('/admin/flows/demo-web/trails/build-9');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Audit package' }).first().click(),
    ]);
    const file = await download.path();
    const keys = `${file}.keys`;
    writeFileSync(keys, JSON.stringify(await shop.ask('GET', '/signing-keys')));
    // It ends with another code than 0, which is thrown, unless all is as it was signed.
    execFileSync(process.execPath, [VERIFY, file, '--key', keys]);
  });

  it('shows changes within 5 s without a reload', async () => {
    const { page, open } = await openWatched(browser, shop);
    await shop.ask('PUT', '/environments/admin', { name: 'live', type: 'docker' });
    await page.clock.install();
    await open('/admin/environments/live');
    await page.getByText('Nothing was reported yet').waitFor();
    await shop.ask('PUT', '/environments/admin/live/report/docker', {
      artifacts: [{ digests: { 'web:live': 'cd'.repeat(32) }, creationTimestamp: 1 }],
    });
    const reported = performance.now();
    await page.getByText('web:live').waitFor();
    const waited = performance.now() - reported;
    expect(waited).toBeLessThan(await waitLimit(browser, waited, 5_000));
    if (shop.passed === null) return;
    // An open page listens: in a minute of its clock in which nothing happens it asks for nothing.
    const before = shop.passed.length;
    await page.clock.runFor(60_000);
    expect(shop.passed.slice(before)).toEqual([]);
  });
});
