import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { findings } from './support/axe';
import { waitForCount, openBrowser, openWatched } from './support/browser';
import { countClicks } from './support/clicks';
import { type Shop, startShop } from './support/shop';
import { recordSixtyDays } from './support/sixty-days';

jest.setTimeout(120_000);

const DECISIONS = 30;
const CONTROL = 'AUD-1';

describe('questions of an audit', () => {
  let shop: Shop;
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
    await recordSixtyDays(shop, 'tale');
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  const saved = async (page: Page, button: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button, exact: true }).click(),
    ]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
  };

  it('who changed what, with the values before and after (2 clicks from the overview)', async () => {
    await shop.ask('PUT', '/environments/admin', { name: 'audited', type: 'docker', description: 'old words' });
    await shop.ask('PUT', '/environments/admin', { name: 'audited', type: 'docker', description: 'new words' });
    const { page, open, faults } = await openWatched(browser, shop);
    const clicks = await countClicks(page);
    await open('/admin');
    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await page.getByRole('button', { name: 'Only Environment updated' }).first().click();
    // The rows of before are shown until the answer comes.
    await page
      .getByRole('row', { name: /Environment created/ })
      .first()
      .waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /audited/ });
    await row.getByText('new words').waitFor();
    await row.getByText('old words').waitFor();
    await row.getByRole('button', { name: 'Only admin' }).waitFor();
    expect(await clicks()).toBe(2);
    expect(new URL(page.url()).search).toBe('?type=environment_updated');
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('which policy and which environments, by name on the page and in the file', async () => {
    await shop.ask('PUT', '/environments/admin', { name: 'named', type: 'docker' });
    await shop.ask('POST', '/environments/admin/named/policies', { policy_names: ['demo-release'] });
    const group = { name: 'named-group', type: 'logical', included_environments: ['named'] };
    await shop.ask('PUT', '/environments/admin', group);
    await shop.ask('PUT', '/environments/admin/named/rename', { new_name: 'named-anew' });
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/audit-log?search=named&subject=environment');
    const attached = page.getByRole('row', { name: /Policy attached/ });
    await attached.waitFor();
    await attached.getByRole('term').getByText('Policy demo-release', { exact: true }).waitFor();
    expect(await attached.getByRole('definition').allTextContents()).toEqual(['attached']);
    const creationRow = page.getByRole('row', { name: /Environment created.*named-group/ });
    expect(await creationRow.getByRole('definition').allTextContents()).toContain('named-anew');
    const csv = await saved(page, 'Export CSV');
    expect(csv.text).toMatch(/""policies\.demo-release"":""demo-release \([0-9a-f-]{36}\)""/);
    expect(csv.text).toMatch(/""included_environments"":\[""named-anew \([0-9a-f-]{36}\)""\]/);
    expect(faults).toEqual([]);
  });

  it('what was changed in some days, from an address, as CSV and JSON', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    const today = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await open(`/admin/audit-log?search=audited&subject=environment&from=2026-01-01&to=${today}`);
    await page
      .getByRole('row', { name: /audited/ })
      .nth(1)
      .waitFor();
    expect(await waitForCount(page.getByRole('row'), 3)).toBe(3);
    const csv = await saved(page, 'Export CSV');
    expect(csv.name).toBe('audit-log-admin.csv');
    const [header, newest, , ...more] = csv.text.trimEnd().split('\r\n');
    expect(header).toContain('"created_at","type","actor"');
    expect(newest).toMatch(/,"environment_updated","admin",.*old words.*new words/);
    expect(more).toEqual([]);
    const json = JSON.parse((await saved(page, 'Export JSON')).text) as { type: string }[];
    expect(json.map(({ type }) => type)).toEqual(['environment_updated', 'environment_created']);
    await open('/admin/audit-log?search=audited&to=2020-01-01');
    await page.getByText(/Nothing was changed/).waitFor();
    expect(faults).toEqual([]);
  });

  it('what an auditor may see: all, with the logs (1 click from the overview); and no way to change it', async () => {
    await shop.ask('POST', '/organizations', { name: 'audited-org' });
    const keys: Record<string, string> = {};
    for (const role of ['auditor', 'reader']) {
      await shop.ask('POST', '/service-accounts/audited-org', { name: role, privilege: role });
      const keysPath = `/service-accounts/audited-org/${role}/api-keys`;
      keys[role] = (await shop.ask<{ key: string }>('POST', keysPath, { description: 'night' })).key;
    }
    const { page, open, faults } = await openWatched(browser, { url: shop.url, key: keys['auditor'] ?? '' });
    const clicks = await countClicks(page);
    await open('/audited-org');
    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await page.getByRole('row', { name: /Service account created.*auditor/ }).waitFor();
    expect(await clicks()).toBe(1);
    for (const [section, title] of [
      ['retention', 'Legal holds'],
      ['log', 'Membership log'],
      ['members', 'Open invitations'],
      ['service-accounts', 'auditor'],
    ]) {
      await open(`/audited-org/settings/${section}`);
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
      for (const does of [/^(Change|New|Invite|Delete|Remove|Rotate|Revoke)/]) {
        expect(await waitForCount(page.locator('main').getByRole('button', { name: does }), 0)).toBe(0);
      }
    }
    await page.getByRole('cell', { name: 'night' }).first().waitFor();
    const reader = await openWatched(browser, { url: shop.url, key: keys['reader'] ?? '' });
    await reader.open('/audited-org');
    expect(await waitForCount(reader.page.getByRole('link', { name: 'Audit log' }), 0)).toBe(0);
    expect([...faults, ...reader.faults]).toEqual([]);
  });

  it('all decisions of a control in a quarter (2 clicks from the overview), and its versions', async () => {
    await shop.ask('POST', '/controls/admin', {
      identifier: CONTROL,
      name: 'Audited reviews',
      description: 'Two eyes',
    });
    await shop.ask('PUT', `/controls/admin/${CONTROL}`, { description: 'Four eyes' });
    await shop.ask('PUT', '/flows/admin', { name: 'audited', template: ['artifact'] });
    await shop.ask('POST', '/trails/admin/audited', { name: 'one' }).catch(() => undefined);
    for (let i = 0; i < DECISIONS; i += 1) {
      await shop.form('POST', '/attestations/admin/audited/trail/one/system', {
        attestation_name: `review-${i}`,
        type_name: 'decision',
        control: CONTROL,
        attestation_data: { is_compliant: i % 3 !== 0 },
      });
    }
    const { page, open, faults } = await openWatched(browser, shop);
    const clicks = await countClicks(page);
    await open('/admin');
    await page.getByRole('link', { name: 'Controls', exact: true }).click();
    await page.getByRole('link', { name: 'Audited reviews' }).click();
    await page.getByText(`Page 1 of 2 · ${DECISIONS} in all`).waitFor();
    expect(await clicks()).toBe(2);
    await page.getByRole('row', { name: /Four eyes/ }).waitFor();
    await page.getByRole('row', { name: /Two eyes/ }).waitFor();
    expect(JSON.parse((await saved(page, 'Export JSON')).text)).toHaveLength(DECISIONS);
    await page.getByRole('combobox', { name: 'State' }).selectOption('Not compliant');
    // A compliant one: gone when the list is filtered.
    await page.getByRole('row', { name: /review-28/ }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /review-27/ }).waitFor();
    expect((await saved(page, 'Export CSV')).text.trimEnd().split('\r\n')).toHaveLength(DECISIONS / 3 + 1);
    await page.getByRole('combobox', { name: 'Time' }).selectOption({ index: 1 });
    await page.getByText('Nothing was decided on it in this time').waitFor();
    expect(new URL(page.url()).search).toMatch(/state=no&time=\d{4}-Q[1-4]/);
    await page.getByRole('combobox', { name: 'Time' }).selectOption('All time');
    await page.getByRole('row', { name: /review-27/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
