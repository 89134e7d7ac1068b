import type { Browser, Page } from 'playwright-core';
import { artifact, digest, sbomForm, sbomOf } from '../support/samples';
import { openBrowser, openWatched, type WatchedPage } from './support/browser';
import { type Shop, startShop } from './support/shop';

jest.setTimeout(120_000);

const POLICY =
  '_schema: https://example.com/schemas/policy/v1\nartifacts:\n  attestations:\n    - {type: pull_request}\n';
const FLOW = 'verdicts';
const [REFUSED, FREE] = [digest('refused'), digest('free')];

describe('what pages say of verdicts and versions', () => {
  let shop: Shop;
  let browser: Browser;
  let reader: WatchedPage;

  const environment = async (name: string, names: readonly string[], org = 'admin') => {
    await shop.ask('PUT', `/environments/${org}`, { name, type: 'docker', description: '' });
    await running(name, names, org);
  };
  const running = (env: string, names: readonly string[], org = 'admin') =>
    shop.ask('PUT', `/environments/${org}/${env}/report/docker`, {
      artifacts: names.map((name) => ({
        digests: { [name]: { refused: REFUSED, free: FREE }[name] ?? digest(name) },
        creationTimestamp: 1_700_000_000,
      })),
    });
  const many = (count: number, nameOf: (i: number) => string) => Array.from({ length: count }, (_, i) => nameOf(i));

  beforeAll(async () => {
    browser = await openBrowser();
    shop = await startShop();
    await shop.form(
      'PUT',
      '/policies/admin',
      { name: 'reviewed', type: 'env' },
      { field: 'policy_file', text: POLICY },
    );
    await shop.form('PUT', '/flows/admin/template_file', { name: FLOW, description: '' });
    for (const fingerprint of [REFUSED, FREE])
      await shop.ask(
        'POST',
        `/artifacts/admin/${FLOW}`,
        artifact(fingerprint, { filename: 'web', trail_name: 'build' }),
      );
    await environment('gate', []);
    await shop.ask('POST', '/environments/admin/gate/policies', { policy_names: ['reviewed'] });
    await running('gate', ['refused']);
    await environment('open', ['refused', 'free']);
    reader = await openWatched(browser, shop);
    reader.page.setDefaultTimeout(15_000);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });

  const texts = (page: Page) => page.locator('main').innerText();

  it('the overview says that nothing is judged, where nothing is', async () => {
    await shop.ask('POST', '/organizations', { name: 'unjudged' });
    await environment('lonely', ['a:1'], 'unjudged');
    await reader.open('/unjudged');
    await reader.page.getByText('No environment is judged').waitFor();
    expect(await texts(reader.page)).not.toContain('complies');
    await reader.open('/admin');
    expect(await texts(reader.page)).not.toContain('No environment is judged');
  });

  it.each([
    ['an artifact', `/admin/flows/${FLOW}/artifacts/${REFUSED}`],
    ['an artifact without its flow', `/admin/artifacts/${REFUSED}`],
    ['its commit', `/admin/search?q=${artifact(REFUSED).git_commit}`],
  ])('the page of %s says which environment refuses it', async (_what, path) => {
    const { page, open, arrived } = reader;
    await open(path);
    await page.getByText('Refused in').first().waitFor();
    await page.locator('main').getByRole('link', { name: 'gate', exact: true }).first().click();
    await arrived('/admin/environments/gate');
  });

  it('the page of an artifact that nothing judges says so', async () => {
    await reader.open(`/admin/flows/${FLOW}/artifacts/${FREE}`);
    await reader.page.getByText('Not judged in').first().waitFor();
  });

  it('nothing that asks for nothing has a tick', async () => {
    await shop.form('PUT', `/trails/admin/${FLOW}`, { name: 'bare' });
    await reader.open(`/admin/flows/${FLOW}/trails/bare`);
    await reader.page.getByText('Nothing is asked for').first().waitFor();
    expect(await texts(reader.page)).not.toContain('Compliant');
    await reader.open(`/admin/flows/${FLOW}/artifacts/${FREE}`);
    await reader.page.getByText('No attestation').first().waitFor();
    expect(await reader.page.locator('main header').first().innerText()).not.toContain('Compliant');
  });

  it('a comparison pairs services over all pages', async () => {
    await environment('left', ['zed:1']);
    await environment('right', [...many(25, (i) => `a-${i}:1`), 'zed:2']);
    const { page, open } = reader;
    await open('/admin/compare?a=left&b=right');
    const versions = page.getByRole('group', { name: 'Other versions' });
    await versions.getByRole('link', { name: '2', exact: true }).waitFor();
    expect(await texts(page)).not.toContain('No service runs in another version');
    expect(
      await page
        .getByRole('group', { name: /^Only in right/ })
        .getByRole('row')
        .count(),
    ).toBe(26);
    await open('/admin/compare?a=left&b=left');
    await page.getByText('No service runs in another version').waitFor();
  });

  it('a comparison has pages of each list', async () => {
    await environment(
      'many-left',
      many(30, (i) => `s-${i}:1`),
    );
    await environment(
      'many-right',
      many(30, (i) => `s-${i}:2`),
    );
    const { page, open } = reader;
    await open('/admin/compare?a=many-left&b=many-right');
    const versions = page.getByRole('group', { name: 'Other versions' });
    expect(await versions.getByRole('row').count()).toBe(26);
    await page.getByText('30 in all', { exact: false }).first().waitFor();
    await open('/admin/compare?a=many-left&b=many-right&changed=2');
    expect(await versions.getByRole('row').count()).toBe(6);
  });

  it('a comparison of components that has pages does not say that nothing is in another version', async () => {
    const component = (name: string, version: string) => ({
      type: 'library',
      name,
      version,
      purl: `pkg:npm/${name}@${version}`,
    });
    for (const [env, components] of [
      ['boms-left', [component('zed', '1')]],
      ['boms-right', [...many(120, (i) => `a${i}`).map((name) => component(name, '1')), component('zed', '2')]],
    ] as const) {
      const fingerprint = digest(env);
      await shop.ask('POST', `/artifacts/admin/${FLOW}`, artifact(fingerprint, { filename: env, trail_name: env }));
      const answer = await fetch(`${shop.url}/api/v2/attestations/admin/${FLOW}/trail/${env}/system`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.key}` },
        body: sbomForm(sbomOf(components), fingerprint),
      });
      expect([answer.status, await answer.text()]).toEqual([201, expect.anything()]);
      await shop.ask('PUT', '/environments/admin', { name: env, type: 'docker', description: '' });
      await shop.ask('PUT', `/environments/admin/${env}/report/docker`, {
        artifacts: [{ digests: { [env]: fingerprint }, creationTimestamp: 1_700_000_000 }],
      });
    }
    await reader.open('/admin/compare?a=boms-left&b=boms-right&tab=components');
    await reader.page.getByText('on these pages').first().waitFor();
    expect(await texts(reader.page)).not.toContain('No component is known in another version');
  });

  it('a policy that judged nothing passes nothing', async () => {
    await environment('deserted', ['a:1']);
    await shop.ask('POST', '/environments/admin/deserted/policies', { policy_names: ['reviewed'] });
    await running('deserted', []);
    const { page, open } = reader;
    await open('/admin/policies/reviewed');
    await page.locator('li', { hasText: 'deserted' }).getByText('Nothing runs there').first().waitFor();
    await open('/admin/environments/deserted/snapshots/-1');
    await page.getByText('Policies applied').first().waitFor();
    expect(await texts(page)).not.toContain('All pass');
  });

  it('a page with times that is opened late reads the clock', async () => {
    const { page, context, open } = await openWatched(browser, shop);
    const lateMs = 47_000;
    await page.clock.install({ time: Date.now() - lateMs });
    await open('/admin/compare');
    await page.clock.fastForward(lateMs);
    await environment('recent', ['a:1']);
    await page.locator('main').getByRole('link', { name: 'Environments', exact: true }).click();
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'recent', exact: true }) });
    await row.waitFor();
    expect(await row.innerText()).not.toMatch(/in \d+ seconds/);
    expect(await row.innerText()).toMatch(/just now|ago/);
    await context.close();
  });
});
