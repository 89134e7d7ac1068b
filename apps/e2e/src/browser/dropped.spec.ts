import type { Browser } from 'playwright-core';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { Caller } from '../support/caller';
import { keyOf } from '../support/declared';
import { startAtTime } from '../support/deployments';
import { eventually } from '../support/eventually';
import type { RunningService } from '../support/running';
import { artifact, digest, environment, flow, flowForm, item, post, report } from '../support/samples';
import { TestClock } from '../support/test-clock';
import { worldOf } from '../support/world';
import { waitForCount, openBrowser, openWatched } from './support/browser';

jest.setTimeout(120_000);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** More than the newest states that are always kept. */
const SNAPSHOTS = 130;
/** One of them whose state goes, and which is among the newest runs on the page of its artifact. */
const DROPPED = 91;

describe('pages of what retention dropped', () => {
  const clock = new TestClock();
  let service: RunningService;
  let browser: Browser;
  let admin: Caller;

  beforeAll(async () => {
    browser = await openBrowser();
    service = await startAtTime(clock);
    admin = (await worldOf(service)).as('admin');
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    expect(service?.faults).toEqual([]);
  });

  it('say so, and show neither an empty report nor a fault', async () => {
    const flowName = await flow(admin);
    const path = `/attestations/acme/${flowName}/trail/build-1`;
    const suite = { name: 'unit', failures: 0, errors: 0, skipped: 0, total: 3, duration: 1 };
    const form = flowForm({ attestation_name: 'tests', junit_results: [suite] });
    form.set('attachment_file', new Blob(['<testsuite/>']), 'tests.xml');
    await admin.expect(201, 'POST', `${path}/junit`, { form });
    const snyk = { tool: { name: 'Snyk', version: '1' }, results: [{ low_count: 1, medium_count: 0, high_count: 0 }] };
    const scan = flowForm({ attestation_name: 'scan', snyk_results: snyk });
    await admin.expect(201, 'POST', `${path}/snyk`, { form: scan });
    const env = await environment(admin);
    const builds = await flow(admin);
    await post(admin, builds, artifact(digest('0'), { trail_name: 'build-1', template_reference_name: 'web' }));
    for (let i = 0; i < SNAPSHOTS; i += 1) {
      await report(admin, env, [item({ web: digest(String(i % 2)) })]);
      await clock.set(clock.now + 1_000);
    }
    const days = { attachments_days: 30, payloads_days: 30, snapshots_days: 30 };
    await admin.expect(200, 'PUT', '/retention/acme', { json: days });
    await clock.set(clock.now + 40 * DAY);
    const gone = await eventually(
      async () => {
        await clock.set(clock.now + 10 * MINUTE);
        const [tests] = await admin.get<AttestationAnswer[]>(`${path}/tests`);
        const [scanned] = await admin.get<AttestationAnswer[]>(`${path}/scan`);
        const { status } = await admin.send('GET', `/snapshots/acme/${env}/${DROPPED}`);
        return [tests, scanned].map((one) => one?.dropped?.map(({ what }) => what).join() ?? '').concat(String(status));
      },
      ([tests, , status]) => tests !== '' && status === '410',
    );
    expect(gone).toEqual(['attachments,payloads', 'payloads', '410']);

    const { page, open, faults } = await openWatched(browser, {
      url: service.url,
      key: keyOf('admin'),
      expected: /status of 410|was dropped by the retention/,
    });
    await open(`/acme/flows/${flowName}/trails/build-1`);
    for (const name of ['tests', 'scan']) {
      await page.getByRole('region', { name: 'Timeline' }).getByRole('link', { name, exact: true }).waitFor();
      const attestation = page.locator('details', { hasText: name }).first();
      await attestation.locator('summary').click();
      await attestation.getByText('Payload and user data were dropped, because they are older than 30 days').waitFor();
      const files = name === 'tests' ? 1 : 0;
      expect(await waitForCount(attestation.getByText('Attachments were dropped'), files)).toBe(files);
      expect(await waitForCount(attestation.getByText(/No test ran|No result/), 0)).toBe(0);
      expect(await waitForCount(attestation.getByRole('link', { name: 'Attachments' }), 0)).toBe(0);
    }
    await open(`/acme/flows/${builds}/artifacts/${digest('0')}`);
    await page.getByText('no longer kept', { exact: true }).first().waitFor();
    expect(await waitForCount(page.getByRole('alert'), 0)).toBe(0);
    await open(`/acme/environments/${env}/snapshots/${DROPPED}`);
    await page.getByRole('heading', { name: 'This is no longer kept' }).waitFor();
    expect(await waitForCount(page.getByRole('button', { name: 'Try again' }), 0)).toBe(0);
    expect(faults).toEqual([]);
  });
});
