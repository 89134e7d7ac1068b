import type { Browser } from 'playwright-core';
import { eventually } from '../support/eventually';
import { waitForCount, openBrowser, openWatched } from './support/browser';
import { broken, cut } from './support/layout';
import { FINGERPRINT as DEMO_WEB } from './support/paths';
import { covered } from './support/print';
import { type Shop, startShop } from './support/shop';

jest.setTimeout(120_000);

const POLICY = '_schema: https://example.com/schemas/policy/v1\nartifacts:\n  provenance: { required: true }\n';
const FINGERPRINT = 'a1'.repeat(32);

describe('lists on the pages', () => {
  let shop: Shop;
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  it('keep filters and tabs in the address, and Back goes back', async () => {
    const { page, open, arrived, faults } = await openWatched(browser, shop);
    await open('/admin/environments');
    await page.getByLabel('Type').selectOption('logical');
    await arrived('/admin/environments?type=logical');
    await page.getByLabel('Name', { exact: true }).fill('demo-c');
    await arrived('/admin/environments?type=logical&name=demo-c');
    await page.getByRole('link', { name: 'demo-customers', exact: true }).waitFor();
    await page.goBack();
    await arrived('/admin/environments?type=logical');
    const name = page.getByLabel('Name', { exact: true });
    expect(
      await eventually(
        () => name.inputValue(),
        (value) => value === '',
      ),
    ).toBe('');
    await open('/admin/environments?name=production');
    expect(
      await eventually(
        () => name.inputValue(),
        (value) => value === 'production',
      ),
    ).toBe('production');
    await page.getByRole('link', { name: 'demo-staging', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'demo-production', exact: true }).click();
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await arrived('/admin/environments/demo-production?tab=history');
    await page.goBack();
    await arrived('/admin/environments/demo-production');
    await page.goBack();
    await arrived('/admin/environments?name=production');
    expect(faults).toEqual([]);
  });

  it('take a filter back although its list is still on its way', async () => {
    const { page, open, arrived, faults } = await openWatched(browser, shop);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/environments\/admin\?.*name=demo-c/, async (route) => {
      await released;
      await route.abort();
    });
    await open('/admin/environments');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('demo-c');
    await arrived('/admin/environments?name=demo-c');
    await page.goBack();
    await arrived('/admin/environments');
    const text = await eventually(
      () => name.inputValue(),
      (value) => value === '',
      5_000,
    );
    release();
    expect(text).toBe('');
    expect(faults).toEqual([]);
  });

  it('keep the order of figures in the address', async () => {
    const { page, open, arrived, faults } = await openWatched(browser, shop);
    const path = '/admin/deployments?tab=environments&sort=deployments';
    await open('/admin/deployments?tab=environments');
    await page.getByLabel('Sorted by').selectOption('Most deployments');
    await arrived(path);
    await open(path);
    expect(await page.getByLabel('Sorted by').inputValue()).toBe('deployments');
    const cells = await page.locator('td[data-head="Deployments"]').allInnerTexts();
    const counts = cells.map((text) => Number.parseInt(text, 10));
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(new Set(counts).size).toBeGreaterThan(1);
    expect(faults).toEqual([]);
  });

  it('say of an artifact what its state is about, and what happened in the order of time', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open(`/admin/flows/demo-web/artifacts/${DEMO_WEB}`);
    await page.getByText('by its own attestations').waitFor();
    const times = await page.getByRole('region', { name: 'History' }).locator('time').all();
    const read = await Promise.all(times.map((time) => time.getAttribute('datetime')));
    expect(new Set(read).size).toBeGreaterThan(2);
    expect(read).toEqual(read.toSorted().reverse());
    expect(faults).toEqual([]);
  });

  it.each([
    ['', /^Last 4 weeks, from .+ to now; before: from .+ to \d/],
    ['/environments/demo-production?tab=history', /^Last 4 weeks, from .+ to now; before: from .+ to \d/],
    ['/repositories/acme%2Fshop-web', /^Last 12 weeks, from .+ to now; before: from .+ to \d/],
    ['/deployments?tab=repositories', /^from .+ to now; before: from .+ to \d/],
  ])('say of which time the figures of %s are', async (path, text) => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open(`/admin${path}`);
    await page.getByText(text).waitFor();
    expect(faults).toEqual([]);
  });

  it('say on the overview which artifact lacks what, and the command that attests it', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin');
    const causes = page.getByRole('region', { name: 'Not compliant now' }).getByRole('listitem');
    const cause = (text: string) => causes.filter({ hasText: text }).last();
    for (const [text, command] of [
      ['shop/web:2.10: review missing in demo-web / build-10', 'trail/build-10/pull_request'],
      ['shop/web:2.10: pull_request missing in demo-web / build-10', 'trail/build-10/pull_request'],
      ['shop/web:2.10: decision for DEMO-CC8.1 missing in demo-web / build-10', 'trail/build-10/system'],
    ] as const) {
      await cause(text).getByText('How to attest it').click();
      await cause(text).getByText(`/attestations/admin/demo-web/${command}`).waitFor();
    }
    const ofTrail = cause('review missing').getByText('"attestation_name":"review"');
    expect(await ofTrail.innerText()).not.toContain('artifact_fingerprint');
    expect(faults).toEqual([]);
  });

  it('name the median by one word, here and on the overview', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    for (const [path, name] of [
      ['/admin/deployments?tab=environments', 'Median lead time'],
      ['/admin', 'median lead time'],
    ] as const) {
      await open(path);
      await page.getByText(name, { exact: true }).first().waitFor();
      expect(await page.getByText(/half within|p50/).count()).toBe(0);
    }
    expect(faults).toEqual([]);
  });

  it('say of a change which commit it is, and who made it', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/deployments?env=demo-production');
    const row = page.getByRole('row', { name: /shop\/web.*2\.9.*2\.10.*demo-production/ });
    await row.getByText('Remember the basket').waitFor();
    await row.getByText('Ada', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('say of a notification that its last message failed', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/notifications/1');
    await page.getByText('Given up', { exact: true }).waitFor();
    await page.getByText('Last message failed').waitFor();
    expect(await waitForCount(page.getByText('Working', { exact: true }), 0)).toBe(0);
    await open('/admin/notifications');
    await page
      .getByRole('row', { name: /demo-alarms/ })
      .getByText('Last message failed')
      .waitFor();
    expect(faults).toEqual([]);
  });

  it('give a logical environment its members', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/environments');
    await page.getByRole('button', { name: 'New environment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('everything');
    await dialog.getByLabel('Type').selectOption('logical');
    await dialog.getByLabel('demo-production', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });
    const members = async () => {
      const { included_environments } = await shop.ask<{ included_environments: string[] }>(
        'GET',
        '/environments/admin/everything',
      );
      return included_environments.sort();
    };
    expect(await members()).toEqual(['demo-production']);
    await open('/admin/environments/everything');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await dialog.getByLabel('demo-production', { exact: true }).isChecked()).toBe(true);
    await dialog.getByLabel('demo-staging', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await members()).toEqual(['demo-production', 'demo-staging']);
    expect(faults).toEqual([]);
  });

  it('say of a logical environment what its members do, and where each artifact ran at a time', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    const rowOf = (name: RegExp) => page.getByRole('row', { name });
    await open('/admin/environments/demo-customers');
    await rowOf(/shop\/web:2\.10/)
      .getByText('Non-compliant', { exact: true })
      .waitFor();
    await rowOf(/shop\/web:2\.10/)
      .getByRole('link', { name: 'demo-production', exact: true })
      .waitFor();
    expect(await waitForCount(page.getByRole('button', { name: 'Allow' }), 0)).toBe(0);
    await open('/admin/environments/demo-customers?tab=rules');
    await page.getByText('Its members are judged').waitFor();
    await open('/admin/environments?name=demo-customers');
    await rowOf(/demo-customers/)
      .getByText('by its members')
      .waitFor();
    await open('/admin/environments/demo-customers/snapshots/2');
    await page.getByRole('region', { name: 'What ran' }).getByText('ran in').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('mark where they are, in the menu and among the tabs of a narrow page', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    for (const section of ['members', 'keys', 'retention']) {
      await open(`/admin/settings/${section}`);
      const menu = page.getByRole('navigation', { name: 'Main' });
      expect(await menu.locator('[aria-current="page"]').allInnerTexts()).toEqual(['Settings']);
      expect(await waitForCount(page.locator('nav[aria-label="Settings"] [aria-current="page"]'), 1)).toBe(1);
    }
    await page.setViewportSize({ width: 390, height: 900 });
    await open('/admin/environments/demo-production?tab=rules');
    const tab = await page.getByRole('link', { name: 'Policies and tags' }).boundingBox();
    expect((tab?.x ?? 0) + (tab?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(faults).toEqual([]);
  });

  it('say of an allowed artifact by whom and why', async () => {
    await shop.ask('PUT', '/environments/admin', { name: 'lenient', type: 'docker' });
    await shop.form('PUT', '/policies/admin', { name: 'known' }, { field: 'policy_file', text: POLICY });
    await shop.ask('POST', '/environments/admin/lenient/policies', { policy_names: ['known'] });
    await shop.ask('PUT', '/allowlists/admin/lenient', {
      artifact_fingerprint: FINGERPRINT,
      artifact_name: 'nginx:1',
      description: 'It is of its vendor',
    });
    await shop.ask('PUT', '/environments/admin/lenient/report/docker', {
      artifacts: [{ digests: { 'nginx:1': FINGERPRINT }, creationTimestamp: 1_700_000_000 }],
    });
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/environments/lenient');
    const row = page.getByRole('row', { name: 'nginx:1' });
    await row.getByText('Allowed', { exact: true }).waitFor();
    await row.getByText('It is of its vendor').waitFor();
    expect(await waitForCount(row.getByText('Compliant', { exact: true }), 0)).toBe(0);
    expect(faults).toEqual([]);
  });

  it('end on their last page, also where that is full', async () => {
    const { page, open } = await openWatched(browser, shop);
    await shop.ask('PUT', '/environments/admin', { name: 'full', type: 'docker' });
    for (let i = 0; i < 30; i += 1) {
      const digests = { [`app:${i}`]: String(i + 10).repeat(32) };
      await shop.ask('PUT', '/environments/admin/full/report/docker', {
        artifacts: [{ digests, creationTimestamp: 1_700_000_000 }],
      });
    }
    const next = page.getByRole('button', { name: 'Next' });
    await open('/admin/environments/full?tab=history');
    expect(await waitForCount(page.getByRole('group', { name: 'Snapshots' }).getByRole('row'), 31)).toBe(31);
    expect(await next.count()).toBe(0);
    await shop.ask('PUT', '/environments/admin/full/report/docker', { artifacts: [] });
    await open('/admin/environments/full?tab=history');
    await next.click();
    await page.getByText('Page 2').waitFor();
    expect(await waitForCount(page.getByRole('group', { name: 'Snapshots' }).getByRole('row'), 2)).toBe(2);
    expect(await next.isDisabled()).toBe(true);
  });

  it('break no name or version at 1,440 pixels, and print everything', async () => {
    const { page, open } = await openWatched(browser, shop);
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const path of [
      'environments/demo-production',
      'deployments',
      'repositories',
      'flows/demo-web?tab=artifacts',
    ]) {
      await open(`/admin/${path}`);
      expect({ path, broken: await broken(page) }).toEqual({ path, broken: [] });
      await page.emulateMedia({ media: 'print' });
      expect({ path, cut: await cut(page) }).toEqual({ path, cut: [] });
      await page.emulateMedia({ media: null });
    }
  });

  it.each([
    '',
    '/environments/demo-production',
    '/environments/demo-production?tab=history',
    '/deployments',
    '/flows/demo-web',
    `/flows/demo-web/artifacts/${DEMO_WEB}`,
    '/repositories/acme%2Fshop-web',
  ])('print %s without one text over another', async (path) => {
    const { page, open } = await openWatched(browser, shop);
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(`/admin${path}`);
    await page.locator('[data-later]').waitFor({ state: 'detached' });
    expect(await covered(page)).toEqual([]);
  });
});
