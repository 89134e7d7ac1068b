import type { Browser, Page } from 'playwright-core';
import type { Caller } from '../support/caller';
import { keyOf } from '../support/declared';
import { startAtTime } from '../support/deployments';
import { eventually } from '../support/eventually';
import type { RunningService } from '../support/running';
import { policyForm, PROVENANCE } from '../support/samples';
import { TestClock } from '../support/test-clock';
import { worldOf } from '../support/world';
import { findings } from './support/axe';
import { waitForCount, openBrowser, openWatched } from './support/browser';
import { countClicks } from './support/clicks';
import { type History, recordHistory } from './support/history';

jest.setTimeout(180_000);

const MINUTE = 60_000;
const fingerprintOf = (digit: string) => digit.repeat(64);

describe('questions about 60 days of an organization', () => {
  const clock = new TestClock();
  let service: RunningService;
  let browser: Browser;
  let caller: Caller;
  let history: History;

  beforeAll(async () => {
    browser = await openBrowser();
    service = await startAtTime(clock);
    caller = (await worldOf(service)).as('admin');
    history = await recordHistory(caller);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    expect(service?.faults).toEqual([]);
  });

  const reader = () => openWatched(browser, { url: service.url, key: keyOf('admin') });
  const rowOf = (page: Page, name: RegExp) => page.getByRole('row', { name });

  it('what ran before, and what to roll back to (1 click)', async () => {
    const { page, open, faults } = await reader();
    const clicks = await countClicks(page);
    await open('/acme');
    await page.getByRole('link', { name: 'production', exact: true }).first().click();
    // Day 51 has two changes: 52 returned after 47. On day 56, 57 replaced it.
    const row = rowOf(page, /shop\/web:57/);
    const before = row.locator('[data-head="Ran before"]');
    await before.getByRole('link', { name: '52', exact: true }).waitFor();
    expect(await clicks()).toBe(1);
    expect(await findings(page)).toEqual([]);
    // An artifact without provenance has only its deployments.
    await rowOf(page, /shop\/cache:7/)
      .getByRole('link', { name: 'see deployments' })
      .waitFor();
    expect(faults).toEqual([]);
  });

  it('what ran on Tuesday at 14:05 (2 clicks)', async () => {
    const reports = history.story.reports['production'] ?? [];
    // The browser's zone is that of the machine.
    const tuesday = new Date((reports.at(-1)?.at ?? 0) * 1_000);
    tuesday.setDate(tuesday.getDate() - 14 - ((tuesday.getDay() + 5) % 7));
    tuesday.setHours(14, 5, 0, 0);
    const ran = [...(reports.findLast(({ at }) => at <= tuesday.getTime() / 1_000)?.runs.values() ?? [])];
    expect(ran.length).toBeGreaterThan(1);
    const { page, open, faults } = await reader();
    const clicks = await countClicks(page);
    await open('/acme');
    await page.getByRole('link', { name: 'production', exact: true }).first().click();
    const two = (part: number) => String(part).padStart(2, '0');
    const day = [tuesday.getFullYear(), two(tuesday.getMonth() + 1), two(tuesday.getDate())].join('-');
    await page.getByLabel('What ran at').fill(`${day}T14:05`);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('heading', { name: /^Snapshot \d+/ }).waitFor();
    for (const { name } of ran) await rowOf(page, new RegExp(name)).waitFor();
    expect(await clicks()).toBe(2);
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('the evidence of an artifact: its commit, what was attested, where it ran and what it replaced (2 clicks)', async () => {
    const web = history.built('web', 57);
    const form = new FormData();
    form.set(
      'data_json',
      JSON.stringify({
        attestation_name: 'scan',
        artifact_fingerprint: web.fingerprint,
        is_compliant: true,
        user_data: { scanner: 'trivy' },
      }),
    );
    await caller.expect(201, 'POST', `/attestations/acme/web/trail/${web.sha}/generic`, { form });
    const { page, open, faults } = await reader();
    const clicks = await countClicks(page);
    await open('/acme');
    await page.getByRole('link', { name: 'production', exact: true }).first().click();
    await page.getByRole('link', { name: /shop\/web:57/ }).click();
    await page.getByRole('heading', { name: /Artifact .*web:57/ }).waitFor();
    await page.getByText('Sell tea').waitFor();
    const ran = page.getByRole('region', { name: 'Where it ran' });
    for (const env of ['production', 'staging']) {
      const row = ran.getByRole('row', { name: new RegExp(env) }).first();
      await row.getByText('Runs now').waitFor();
      await row.getByRole('link', { name: '52', exact: true }).waitFor();
    }
    await page.getByText('scan', { exact: true }).click();
    await page.getByText('As it was reported').click();
    await page.getByText('trivy').waitFor();
    expect(await clicks()).toBe(2);
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('from when to when an older artifact ran, each time', async () => {
    const web = history.built('web', 52);
    const { page, open, faults } = await reader();
    await open(`/acme/flows/web/artifacts/${web.fingerprint}`);
    const rows = page.getByRole('region', { name: 'Where it ran' }).getByRole('row', { name: /production/ });
    // It ran, was rolled back, returned and ended. Its pods were restarted in between.
    const runs = (history.story.reports['production'] ?? []).map((seen) => seen.runs.has(web.fingerprint));
    const starts = runs.filter((isRunning, i) => isRunning && runs[i - 1] !== true).length;
    expect(starts).toBeGreaterThan(1);
    await rows.first().waitFor();
    expect(await waitForCount(rows, starts)).toBe(starts);
    expect(await waitForCount(rows.getByText('Runs now'), 0)).toBe(0);
    expect(faults).toEqual([]);
  });

  it('what is known of an artifact without provenance (2 clicks)', async () => {
    const { page, open, faults } = await reader();
    const clicks = await countClicks(page);
    await open('/acme');
    await page.getByRole('link', { name: 'production', exact: true }).first().click();
    await page.getByRole('link', { name: /shop\/cache:7/ }).click();
    await page.getByText('No flow reported it').waitFor();
    await page.getByRole('region', { name: 'Where it ran' }).getByRole('link', { name: 'staging' }).waitFor();
    expect(await clicks()).toBe(2);
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('what differs between two environments, each now or at a time', async () => {
    const { page, open, faults } = await reader();
    await open('/acme/compare');
    await page.getByLabel('From', { exact: true }).fill('production');
    const day = new Date(Date.now() - 20 * 24 * 60 * MINUTE).toISOString().slice(0, 16);
    await page.getByLabel('From, at a time').fill(day);
    await page.getByLabel('To', { exact: true }).fill('production');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.waitForURL(/compare\?a=production%40/);
    const row = page.getByRole('region', { name: 'Other versions' }).getByRole('row', { name: /ghcr\.io\/shop\/web/ });
    await row.getByRole('link', { name: '57', exact: true }).waitFor();
    // What is equal is folded away.
    const same = page.getByRole('region', { name: 'The same in both' });
    await same.getByText('Show what is equal').waitFor();
    expect(await waitForCount(same.getByRole('row').filter({ visible: true }), 0)).toBe(0);
    expect(await page.getByLabel('From, at a time').inputValue()).toBe(day);
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('is it getting faster, per environment and repository (2 clicks), sorted, and as a file', async () => {
    const { page, open, faults } = await reader();
    const clicks = await countClicks(page);
    for (const [tab, name] of [
      ['By environment', 'production'],
      ['By repository', 'acme/repo'],
    ] as const) {
      // The look for findings ends on a narrow screen.
      await page.setViewportSize({ width: 1440, height: 900 });
      await open('/acme');
      await page.getByRole('link', { name: 'Deployments', exact: true }).click();
      await page.getByRole('link', { name: tab }).click();
      await rowOf(page, new RegExp(`${name}.* before`))
        .first()
        .waitFor();
      expect(await clicks()).toBe(2);
      expect(await findings(page)).toEqual([]);
    }
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Last 7 days');
    await page.getByRole('combobox', { name: 'Sorted by' }).selectOption('Most deployments');
    await page.waitForURL(/time=7d/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('figures-by-repository-acme.csv');
    expect(faults).toEqual([]);
  });

  it('where each artifact of a logical environment runs', async () => {
    const json = { name: 'customers', type: 'logical', included_environments: ['production', 'staging'] };
    await caller.expect(201, 'PUT', '/environments/acme', { json });
    await eventually(
      () => caller.get<{ last_changed_at: number | null }>('/environments/acme/customers'),
      ({ last_changed_at }) => last_changed_at !== null,
    );
    const { page, open, faults } = await reader();
    await open('/acme/environments/customers');
    const row = rowOf(page, /shop\/web:57/);
    for (const env of ['production', 'staging']) await row.getByRole('link', { name: env, exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('what changed where, by whom and from which commit (1 click)', async () => {
    const { page, open, faults } = await reader();
    const clicks = await countClicks(page);
    await open('/acme');
    await page.getByRole('link', { name: 'Deployments', exact: true }).click();
    const row = rowOf(page, /shop\/web: .*57/)
      .filter({
        has: page.getByRole('link', { name: 'production', exact: true }),
      })
      .first();
    await row.getByText('Sell tea').waitFor();
    await row.getByText('Not judged').waitFor();
    expect(await clicks()).toBe(1);
    expect(faults).toEqual([]);
  });

  it.each(['', 'env=production', 'env=customers'])(
    'as many deployments in the figures as in the list, in one window that is written out: %s',
    async (filter) => {
      const { page, open, faults } = await reader();
      await open(`/acme/deployments?time=12m&${filter}`);
      const figure = page.getByText('deployments', { exact: true }).locator('xpath=preceding-sibling::*[1]');
      const all = page.getByText(/ in all$/);
      const inList = Number(/([\d,]+) in all/.exec(await all.innerText())?.[1]?.replaceAll(',', ''));
      expect(inList).toBeGreaterThan(10);
      // The number of the previous period is in an element of its own.
      const [figures, before] = [await figure.innerText(), await figure.locator('span').innerText()];
      expect(Number(figures.slice(0, -before.length).replaceAll(',', ''))).toBe(inList);
      await page
        .getByRole('region', { name: 'All deployments' })
        .getByText(/^since \d/)
        .waitFor();
      expect(faults).toEqual([]);
    },
  );

  it('what a policy decides, with what is allowed despite it apart', async () => {
    await caller.expect(201, 'PUT', '/policies/acme', { form: policyForm({ name: 'known' }, PROVENANCE) });
    const [lenient, report] = ['lenient', '/environments/acme/lenient/report/docker'];
    await caller.expect(201, 'PUT', '/environments/acme', { json: { name: lenient, type: 'docker' } });
    await caller.expect(200, 'POST', `/environments/acme/${lenient}/policies`, { json: { policy_names: ['known'] } });
    const entry = { artifact_fingerprint: fingerprintOf('a'), artifact_name: 'nginx:1', description: 'its vendor' };
    await caller.expect(201, 'PUT', `/allowlists/acme/${lenient}`, { json: entry });
    const artifacts = ['a', 'b', 'c'].map((digit) => ({
      digests: { [`nginx:${digit}`]: fingerprintOf(digit) },
      creationTimestamp: 0,
    }));
    await caller.expect(200, 'PUT', report, { json: { artifacts } });
    const { page, open, faults } = await reader();
    await open('/acme/policies/known');
    const line = page.getByRole('region', { name: 'In force in' }).getByRole('listitem');
    await line.getByText('2 of 3 fail').waitFor();
    await line.getByText('1 allowed despite it').waitFor();
    expect(faults).toEqual([]);
  });

  it('which reporter is silent (0 clicks), and since when', async () => {
    const json = { name: 'edge', type: 'docker', report_every: 60 };
    await caller.expect(201, 'PUT', '/environments/acme', { json });
    await caller.expect(200, 'PUT', '/environments/acme/edge/report/docker', { json: { artifacts: [] } });
    await clock.set(clock.now + 3 * MINUTE);
    await eventually(
      () => caller.get<{ late_since: number | null }>('/environments/acme/edge'),
      ({ late_since }) => late_since !== null,
    );
    const { page, open, faults } = await reader();
    const clicks = await countClicks(page);
    await open('/acme');
    const late = page.getByRole('region', { name: 'Reports are late' });
    await late.getByRole('link', { name: 'edge', exact: true }).waitFor();
    await late.getByText('last seen').waitFor();
    expect(await clicks()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await open('/acme/environments?late=true');
    await rowOf(page, /edge/).getByText('Report is late').waitFor();
    expect(await findings(page)).toEqual([]);
    await caller.expect(200, 'PUT', '/environments/acme/edge/report/docker', { json: { artifacts: [] } });
    await open('/acme');
    expect(await waitForCount(late, 0)).toBe(0);
    expect(faults).toEqual([]);
  });
});
