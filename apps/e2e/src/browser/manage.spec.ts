import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { URL_CHANNELS } from '@assurance/contracts/notifications/events';
import type { Browser } from 'playwright-core';
import { parse } from 'yaml';
import { findings } from './support/axe';
import { waitForCount, openBrowser, openWatched } from './support/browser';
import { countClicks } from './support/clicks';
import { type Shop, startShop } from './support/shop';

jest.setTimeout(120_000);

/** The message that a browser logs for an error answer. */
const REFUSED = /Failed to load resource/;
const POLICY = '_schema: https://example.com/schemas/policy/v1\nartifacts:\n  provenance: { required: true }\n';

interface GitHubWorkflow {
  readonly jobs: {
    readonly report: {
      readonly env: Readonly<Record<string, string>>;
      readonly steps: readonly { readonly run: string }[];
    };
  };
}

interface GitLabFile {
  readonly report: { readonly variables: Readonly<Record<string, string>>; readonly script: readonly string[] };
}

describe('what administrators manage on the pages', () => {
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

  it('creates a space, renames it, moves an environment into it, and sees why it cannot be archived', async () => {
    const { page, open } = await openWatched(browser, { ...shop, expected: REFUSED });
    await open('/admin/settings/spaces');
    await page.getByRole('button', { name: 'New space' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Payments');
    await page.getByRole('button', { name: 'Create' }).click();
    const row = page.getByRole('row', { name: 'Payments' });
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Billing');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Billing', exact: true }).waitFor();
    await open('/admin/environments/demo-staging?tab=rules');
    await page.getByRole('button', { name: 'Move' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Space').selectOption('Billing');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await dialog.waitFor({ state: 'detached' });
    await open('/admin/settings/spaces');
    await page.getByRole('row', { name: 'Billing' }).getByRole('button', { name: 'Archive' }).click();
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await dialog.getByRole('alert').getByText('it holds').waitFor();
  });

  it('says in words what a field allows', async () => {
    const { page, open } = await openWatched(browser, { ...shop, expected: REFUSED });
    await open('/admin/environments');
    await page.getByRole('button', { name: 'New environment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('my env');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Letters, digits, ., - and _; begins with a letter or digit', { exact: true }).waitFor();
  });

  it('renames an environment, which its old name leads to as well, and archives it', async () => {
    await shop.ask('PUT', '/environments/admin', { name: 'before', type: 'docker' });
    // The page follows changes: it may read the environment again when it is archived.
    const { page, open, arrived, faults } = await openWatched(browser, { ...shop, expected: REFUSED });
    await open('/admin/environments/before');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('after');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await arrived('/admin/environments/after');
    await page.getByRole('heading', { name: 'Environment after' }).waitFor();
    await open('/admin/environments/before');
    await page.getByRole('heading', { name: 'Environment after' }).waitFor();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await arrived('/admin/environments');
    await page.getByRole('link', { name: 'demo-staging', exact: true }).waitFor();
    await page.getByRole('link', { name: 'after', exact: true }).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('allows an artifact, which is listed then, and shows what was decided on a control', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/environments/demo-staging?tab=rules');
    await page.getByRole('button', { name: 'Allow an artifact' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Fingerprint').fill('5'.repeat(64));
    await dialog.getByLabel('Name').fill('nginx:1.27');
    await dialog.getByLabel('Why').fill('By its vendor');
    await dialog.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('row', { name: 'nginx:1.27' }).getByText('By its vendor').waitFor();
    await open('/admin/controls/DEMO-CC8.1');
    await page.getByRole('group', { name: 'Attestations' }).getByRole('link').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('creates a key, shows it once, and revokes it', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/settings/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('What it is for').fill('laptop');
    await page.getByRole('button', { name: 'Create' }).click();
    const dialog = page.getByRole('dialog');
    const key = await dialog.getByRole('group', { name: 'The key' }).innerText();
    await shop.ask('GET', '/environments/admin', undefined, key);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: 'laptop' });
    await row.waitFor();
    expect(await page.content()).not.toContain(key);
    await open('/admin/settings/keys');
    expect(await page.content()).not.toContain(key);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    // Behind an open dialog the row has no role, so it would count as gone before the key was revoked.
    await dialog.waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    await expect(shop.ask('GET', '/environments/admin', undefined, key)).rejects.toThrow('401');
    expect(faults).toEqual([]);
  });

  it('invites a person, who joins in another browser; neither sees what the other has elsewhere', async () => {
    await shop.ask('POST', '/organizations', { name: 'common' });
    const admin = await openWatched(browser, { ...shop, expected: REFUSED });
    await admin.open('/common/settings/members');
    await admin.page.getByRole('button', { name: 'Invite' }).click();
    await admin.page.getByLabel('Mail address').fill('grace@example.com');
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const token = await admin.page.getByRole('group', { name: 'Token of the invitation' }).innerText();

    const grace = await openWatched(browser, { url: shop.url, expected: REFUSED });
    await grace.go('/sign-in');
    await grace.page.getByRole('button', { name: 'I have an invitation' }).click();
    await grace.page.getByLabel('Token').fill(token);
    await grace.page.getByLabel('User name').fill('grace');
    await grace.page.getByRole('button', { name: 'Join' }).click();
    const key = await grace.page.getByRole('group', { name: 'Your API key' }).innerText();
    await grace.page.getByRole('button', { name: 'Go to common' }).click();
    await grace.arrived('/common');
    await grace.page.getByRole('heading', { name: 'common' }).waitFor();
    expect(await grace.page.content()).not.toContain(key);
    await shop.ask('PUT', '/environments/grace', { name: 'of-grace', type: 'docker' }, key);
    await grace.open('/grace/environments/of-grace');
    await admin.open('/common/settings/members');
    await admin.page.getByRole('cell', { name: 'grace@example.com' }).waitFor();

    for (const [{ page, open }, org, its] of [
      [grace, 'admin', 'demo-production'],
      [admin, 'grace', 'of-grace'],
    ] as const) {
      for (const path of ['', `/environments/${its}`, '/deployments']) {
        await open(`/${org}${path}`);
        await page.getByText(`You are not a member of an organization ${org}`).waitFor();
        expect(await waitForCount(page.getByText(its), 0)).toBe(0);
      }
      await open(`/common/search?q=${its}`);
      await page.getByText('Nothing has this in its name, or in what describes it').waitFor();
    }
    expect([...admin.faults, ...grace.faults]).toEqual([]);
  });

  it('creates an attestation type and a second version of it', async () => {
    const { page, open } = await openWatched(browser, shop);
    await open('/admin/attestation-types');
    await page.getByRole('button', { name: 'New type' }).click();
    await page.getByLabel('Name', { exact: true }).fill('load-test');
    await page.getByLabel('Rules (jq)').fill('.p99 < 300\n.errors == 0');
    await page.getByLabel('Schema').fill('{"type": "object", "required": ["p99"]}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Attestation type load-test' }).waitFor();
    await page.getByText('Nothing was reported with it yet').waitFor();
    const attested = { attestation_name: 'load', type_name: 'load-test', attestation_data: { p99: 400, errors: 0 } };
    await shop.form('POST', '/attestations/admin/demo-web/trail/build-9/custom', attested);
    await page.getByRole('row', { name: 'demo-web / build-9' }).getByText('Non-compliant').waitFor();
    await page.getByRole('button', { name: 'New version' }).click();
    await page.getByLabel('Rules (jq)').fill('.p99 < 200');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const type = await shop.ask<{ versions: readonly { evaluator: { rules: string[] }; type_schema: unknown }[] }>(
      'GET',
      '/custom-attestation-types/admin/load-test',
    );
    expect(type.versions.map(({ evaluator, type_schema }) => [evaluator.rules, type_schema])).toEqual([
      [['.p99 < 200'], { type: 'object', required: ['p99'] }],
      [['.p99 < 300', '.errors == 0'], { type: 'object', required: ['p99'] }],
    ]);
  });

  it('creates a shared target, and a signing secret that is shown once', async () => {
    const { page, open } = await openWatched(browser, shop);
    await open('/admin/settings/targets');
    await page.getByRole('button', { name: 'New shared target' }).click();
    await page.getByLabel('Name', { exact: true }).fill('on-call');
    await page.getByLabel('Address').fill('https://hooks.example.com/on-call');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Sign messages' }).click();
    await page.getByRole('button', { name: 'Make a secret' }).click();
    await page.getByRole('dialog').getByText('whsec_').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'New secret' }).waitFor();
    expect(await waitForCount(page.getByText('whsec_'), 0)).toBe(0);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No shared target yet').waitFor();
  });

  it('creates a shared target of Microsoft Teams, and shows only the end of its URL', async () => {
    const { page, open } = await openWatched(browser, shop);
    await open('/admin/settings/targets');
    await page.getByRole('button', { name: 'New shared target' }).click();
    await page.getByLabel('Name', { exact: true }).fill('teams');
    const channel = page.getByRole('dialog').getByRole('combobox');
    await channel.waitFor();
    const options = await channel.locator('option').all();
    const listed = await Promise.all(options.map((option) => option.getAttribute('value')));
    expect(listed).toEqual(['SLACK', 'WEBHOOK', 'EMAIL', ...URL_CHANNELS]);
    await channel.selectOption({ label: 'Microsoft Teams' });
    await page.getByLabel('Address').fill('https://flows.example.com/workflows/1?sig=planted');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Microsoft Teams').waitFor();
    await page.getByText('****nted').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No shared target yet').waitFor();
  });

  it('sets the retention, holds a flow, and releases it', async () => {
    const { page, open } = await openWatched(browser, shop);
    await open('/admin/settings/retention');
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Attachments').fill('3650');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('After 3,650 days').waitFor();
    await page.getByRole('button', { name: 'New hold' }).click();
    await page.getByLabel('Flow', { exact: true }).fill('demo-web');
    await page.getByLabel('Reason').fill('Case 2026-17');
    await page.getByRole('button', { name: 'Hold', exact: true }).click();
    const holdRow = page.getByRole('row', { name: 'demo-web' });
    await holdRow.getByText('Case 2026-17').waitFor();
    expect(await shop.ask('GET', '/retention/admin')).toMatchObject({
      attachments_days: 3_650,
      payloads_days: null,
      snapshots_days: null,
      holds: [{ flow: 'demo-web', trail: null, reason: 'Case 2026-17' }],
    });
    await holdRow.getByRole('button', { name: 'Release' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await page.getByText('Nothing is held').waitFor();
  });

  it('creates an organization, whose first three steps work as they are copied', async () => {
    const { page, open, arrived, faults } = await openWatched(browser, shop);
    await open('/admin/settings/organizations');
    await page.getByRole('button', { name: 'New organization' }).click();
    await page.getByLabel('Name', { exact: true }).fill('fresh');
    await page.getByRole('button', { name: 'Create' }).click();
    await arrived('/fresh');
    const steps = page.getByRole('group', { name: /^Lines:/ });
    await page.getByRole('group', { name: 'Lines: Report what runs' }).waitFor();
    await page.getByText('0 of 3 done').waitFor();
    await page.getByRole('button', { name: 'Create a key for these lines' }).click();
    await page.getByText('The lines below have a key of yours').waitFor();
    const [first = '', ...more] = await steps.allInnerTexts();
    const run = (lines: string) =>
      execFileSync('bash', ['-e'], { cwd: __dirname, input: lines, stdio: ['pipe', 'pipe', 'pipe'] });
    run(first);
    // They stay, and tick themselves while the page is open.
    await page.getByText('1 of 3 done').waitFor();
    expect(await waitForCount(page.getByRole('listitem').filter({ hasText: 'Done' }), 1)).toBe(1);
    run([first, ...more].join('\n'));
    await page.getByText('First steps', { exact: true }).waitFor({ state: 'detached' });
    // They can be called up again.
    await page.getByRole('button', { name: 'Account of admin' }).click();
    await page.getByRole('menuitem', { name: 'First steps' }).click();
    await page.getByText('3 of 3 done').waitFor();
    expect(await waitForCount(page.getByRole('heading', { name: 'First steps' }), 1)).toBe(1);
    await open('/fresh/environments/production');
    await page.getByText('web:1.0').first().waitFor();
    await page.getByRole('link', { name: 'web', exact: true }).first().waitFor();
    expect(faults).toEqual([]);
  });

  /** The commands of a pipeline's file, one text for each shell that runs them, and what its file and its platform set. */
  const pipelines = {
    'GitHub Actions': (file: string) => {
      const { env, steps } = (parse(file) as GitHubWorkflow).jobs.report;
      expect(env['KEY']).toBe('${{ secrets.ASSURANCE_KEY }}');
      return { scripts: steps.map(({ run }) => run), env: { ...env, KEY: shop.key, GITHUB_SHA: 'c0'.repeat(20) } };
    },
    GitLab: (file: string) => {
      const { variables, script } = (parse(file) as GitLabFile).report;
      return {
        scripts: [script.join('\n')],
        env: { ...variables, ASSURANCE_KEY: shop.key, CI_COMMIT_SHA: 'c0'.repeat(20) },
      };
    },
  };

  const FILE_OF = { 'GitHub Actions': 'report.yml', GitLab: '.gitlab-ci.yml' };

  it.each(['GitHub Actions', 'GitLab'] as const)(
    'shows a pipeline of %s that does the first steps',
    async (platform) => {
      const org = platform === 'GitLab' ? 'by-gitlab' : 'by-github';
      await shop.ask('POST', '/organizations', { name: org });
      const { page, open, faults } = await openWatched(browser, shop);
      await open(`/${org}/first-steps`);
      await page.getByRole('link', { name: platform, exact: true }).click();
      // Only these lines, because the lines of another way are shown until the page has changed.
      const lines = page.getByRole('group', { name: new RegExp(`^Lines: Report each build: .*${FILE_OF[platform]}`) });
      const { scripts, env } = pipelines[platform](await lines.innerText());
      for (const input of scripts) {
        execFileSync('bash', ['-e'], {
          env: { PATH: process.env['PATH'], ...env },
          input,
          stdio: ['pipe', 'pipe', 'pipe'],
        });
      }
      await page.getByText('3 of 3 done').waitFor();
      await open(`/${org}/environments/production`);
      const row = page.getByRole('row', { name: /web:1\.0/ });
      await row.getByRole('link', { name: 'web', exact: true }).waitFor();
      await row.getByText('c0c0c0c', { exact: true }).waitFor();
      expect(faults).toEqual([]);
    },
  );

  it('shows a command in each empty list, which makes the first thing of it', async () => {
    await shop.ask('POST', '/organizations', { name: 'empty' });
    const { page, open, faults } = await openWatched(browser, shop);
    const cwd = mkdtempSync(join(tmpdir(), 'assurance-commands-'));
    writeFileSync(join(cwd, 'policy.yml'), POLICY);
    const env = { ...process.env, KEY: shop.key };
    // The first report of a repository needs the flow before.
    for (const [list, first] of [
      ['environments', 'production'],
      ['flows', 'web'],
      ['repositories', 'shop/web'],
      ['policies', 'release'],
      ['controls', 'Changes are reviewed'],
      ['attestation-types', 'coverage'],
      ['notifications', 'alarm'],
    ] as const) {
      await open(`/empty/${list}`);
      const lines = await page.getByRole('group', { name: /^Lines that/ }).innerText();
      execFileSync('bash', ['-e'], {
        cwd,
        env,
        input: lines.replaceAll('curl', 'curl -sS -f'),
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      await page.getByRole('link', { name: first, exact: true }).waitFor();
    }
    rmSync(cwd, { recursive: true });
    expect(faults).toEqual([]);
  });

  it('makes a demo with 60 days of history in an organization of its own (1 click)', async () => {
    await shop.ask('POST', '/organizations', { name: 'curious' });
    const { page, open, arrived, faults } = await openWatched(browser, shop);
    const clicks = await countClicks(page);
    await open('/curious');
    await page.getByRole('button', { name: 'Look at a demo' }).click();
    await arrived('/curious-demo');
    expect(await clicks()).toBe(1);
    await page.getByRole('heading', { name: 'Newest deployments' }).waitFor();
    await open('/curious-demo/deployments?time=12w&kind=rollback');
    await page.getByRole('row', { name: /checkout.*production/ }).waitFor();
    await page.getByRole('row', { name: /checkout.*staging/ }).waitFor();
    expect(await waitForCount(page.getByRole('row'), 3)).toBe(3);
    await open('/curious-demo/vulnerabilities/CVE-2021-44228');
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('listitem').filter({ hasText: 'Gone' }).nth(1).waitFor();
    await open('/curious-demo/environments/demo-production');
    await page.getByText('Compliant', { exact: true }).first().waitFor();
    const first = await shop.ask<{ artifacts: unknown[] }>('GET', '/snapshots/curious-demo/demo-production/1');
    expect(first.artifacts).toHaveLength(1);
    await open('/curious');
    await page.getByRole('link', { name: 'Look at the demo' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('goes on with a demo that was not finished', async () => {
    await shop.ask('POST', '/organizations', { name: 'patient' });
    const { page, open, arrived, faults } = await openWatched(browser, { ...shop, expected: REFUSED });
    await open('/patient');
    let reports = 0;
    await page.route('**/api/v2/environments/patient-demo/*/report/**', (route) => {
      reports += 1;
      return reports === 5
        ? route.fulfill({ status: 500, json: { message: 'Something went wrong' } })
        : route.continue();
    });
    await page.getByRole('button', { name: 'Look at a demo' }).click();
    await page.getByRole('alert').waitFor();
    const builds = async () => {
      const results = await shop.ask<{ attestation_name: string }[]>(
        'GET',
        '/attestations/patient-demo/demo-web/trail/build-1/tests',
      );
      return results.length;
    };
    expect(await builds()).toBe(1);
    await open('/patient');
    await page.getByRole('button', { name: 'Finish the demo' }).click();
    await arrived('/patient-demo');
    await open('/patient-demo/deployments?time=12w&kind=rollback');
    await page.getByRole('row', { name: /checkout.*production/ }).waitFor();
    expect(await builds()).toBe(1);
    await open('/patient');
    await page.getByRole('link', { name: 'Look at the demo' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows what a draft of a policy would change before it is saved', async () => {
    const path = '/policies/admin/demo-release';
    const before = await shop.ask<{ versions: unknown[] }>('GET', path);
    const draft = `${POLICY}  attestations: [{ name: no-such, type: generic }]\n`;
    const draftEffects = await shop.ask<{ running: { judged: number; become_non_compliant: number } }>(
      'POST',
      `${path}/draft`,
      { policy_yaml: draft },
    );
    expect(draftEffects.running.become_non_compliant).toBeGreaterThan(0);
    const { page, open, faults } = await openWatched(browser, { ...shop, expected: REFUSED });
    await open('/admin/policies/demo-release');
    await page.getByRole('button', { name: 'New version' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Source (YAML)').fill(draft);
    await dialog.getByRole('button', { name: 'Show what it would change' }).click();
    const { judged, become_non_compliant } = draftEffects.running;
    await dialog
      .getByText(`Of ${judged} artifacts that run now, ${become_non_compliant} would become non-compliant`)
      .waitFor();
    await dialog.getByText('would become compliant').nth(1).waitFor();
    await dialog.getByText("the 'no-such' attestation of type generic is missing").first().waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByLabel('Source (YAML)').fill('artifacts: [');
    await dialog.getByText('The source was changed').waitFor();
    await dialog.getByRole('button', { name: 'Show what it would change' }).click();
    await dialog.getByText(/^Line 1, column 13: The policy is not valid YAML/).waitFor();
    // Each problem is shown once, below the source and by line: of a draft, and of what was not saved.
    const source = dialog.getByLabel('Source (YAML)');
    const rule = 'Input should be true or false (artifacts.provenance.required)';
    for (const [button, key] of [
      ['Show what it would change', 'rules'],
      ['Save', 'colour'],
    ] as const) {
      await source.fill(`${POLICY.replace('true', 'perhaps')}${key}: []\n`);
      await dialog.getByText('true or false').waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: button }).click();
      const problems = dialog.getByText('true or false');
      await problems.waitFor();
      expect(await waitForCount(dialog.getByText(`Unknown key (${key})`), 1)).toBe(1);
      expect((await problems.textContent())?.split('\n')).toEqual([
        `Line 3, column 27: ${rule}`,
        `Line 4, column ${key.length + 3}: Unknown key (${key})`,
      ]);
      expect(await source.getAttribute('aria-describedby')).toContain((await problems.getAttribute('id')) ?? 'an id');
    }
    const after = await shop.ask<{ versions: unknown[] }>('GET', path);
    expect(after.versions).toEqual(before.versions);
    expect(faults).toEqual([]);
  });

  it('shows of a policy what is allowed despite it, and nothing else that is allowed', async () => {
    const digits = (digit: string) => digit.repeat(64);
    await shop.ask('PUT', '/environments/admin', { name: 'guarded', type: 'docker' });
    const tested = `${POLICY}  attestations: [{ name: tests, type: junit }]\n`;
    await shop.form('PUT', '/policies/admin', { name: 'guarding' }, { field: 'policy_file', text: tested });
    await shop.ask('POST', '/environments/admin/guarded/policies', { policy_names: ['guarding'] });
    for (const [name, digit] of [
      ['vendor/runs:1', '7'],
      ['vendor/left:1', '8'],
    ] as const) {
      const entry = { artifact_fingerprint: digits(digit), artifact_name: name, description: `Because of ${name}` };
      await shop.ask('PUT', '/allowlists/admin/guarded', entry);
    }
    await shop.ask('PUT', '/environments/admin/guarded/report/docker', {
      artifacts: [
        { digests: { 'vendor/runs:1': digits('7') }, creationTimestamp: Math.floor(Date.now() / 1_000) - 3_600 },
      ],
    });
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/policies/guarding');
    const panel = page.getByRole('region', { name: 'In force in' });
    await panel.getByText('1 allowed despite it').waitFor();
    await panel.getByText('Because of vendor/runs:1').waitFor();
    expect(await waitForCount(panel.getByText('vendor/left:1'), 0)).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows by environment what runs of a repository, and how often and how fast it came', async () => {
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/repositories/acme%2Fshop-web');
    const rows = page.getByRole('group', { name: 'Environments' }).getByRole('row');
    await rows.getByRole('link', { name: 'shop/web:2.10' }).nth(1).waitFor();
    const texts = await rows.allInnerTexts();
    const digits = expect.stringMatching(/^[0-9a-f]{12}$/) as string;
    expect(texts.slice(1).map((text) => text.split(/\s*[\t\n]\s*/).filter(Boolean))).toEqual([
      ['demo-production', 'shop/web:2.10', digits, 'Non-compliant', '9', '1 d 7 h', '1 d 15 h'],
      ['demo-staging', 'shop/web:2.10', digits, 'Compliant', '9', '1 h', '1 h'],
    ]);
    expect(faults).toEqual([]);
  });

  it('shows that no test ran where an attestation complies for that reason, and no time of a commit that has none', async () => {
    const git_commit_info = { sha1: 'e'.repeat(40), message: 'Sell tea', author: 'Ada', branch: 'main', timestamp: 0 };
    const trail = '/attestations/admin/demo-web/trail/silent';
    await shop.form('PUT', '/trails/admin/demo-web', { name: 'silent', description: '', git_commit_info });
    await shop.form('POST', `${trail}/junit`, { attestation_name: 'untested', junit_results: [] });
    const snyk_results = { schema_version: 1, tool: { name: 'snyk', version: '1' }, results: [] };
    await shop.form('POST', `${trail}/snyk`, { attestation_name: 'unscanned', snyk_results });
    const { page, open, faults } = await openWatched(browser, shop);
    await open('/admin/flows/demo-web/trails/silent');
    const untested = page.locator('summary', { hasText: 'untested' });
    expect(await waitForCount(untested.getByText('No test ran'), 1)).toBe(1);
    expect(await waitForCount(page.locator('summary', { hasText: 'unscanned' }).getByText('No result'), 1)).toBe(1);
    await untested.click();
    await page.locator('details', { hasText: 'untested' }).getByText('No test ran').nth(1).waitFor();
    expect(await waitForCount(page.getByText('years ago'), 0)).toBe(0);
    expect(await waitForCount(page.locator('dl', { hasText: 'Committed' }).getByText('unknown'), 1)).toBe(1);
    expect(faults).toEqual([]);
  });

  it('exports the deployments of a year as CSV', async () => {
    const { page, open } = await openWatched(browser, shop);
    await open('/admin/deployments?time=12m&kind=all');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const [header, ...rows] = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    const { total_count } = await shop.ask<{ total_count: number }>('GET', '/deployments/admin?start_ts=1&per_page=1');
    expect(header).toContain(
      '\uFEFF"deployed_at","env_name","artifact_name","fingerprint","snapshot_index","kind","lead_time","compliance","commit"',
    );
    expect(rows).toHaveLength(total_count);
    expect(total_count).toBeGreaterThan(15);
  });
});
