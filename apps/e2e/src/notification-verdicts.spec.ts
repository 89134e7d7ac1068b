import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { arrived, notification, payloads, webhook } from './support/notifying';
import { Receiver } from './support/receiver';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  fresh,
  item,
  policy,
  policyYaml,
  post,
  report,
  sha1,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const VERDICTS = ['ON_NON_COMPLIANT_ENV', 'ON_COMPLIANT_ENV'];
const SCANNED = policyYaml('  attestations: [{type: generic, name: scan}]\n');

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver.stop());

onEveryDeployment((world) => {
  const member = () => world().as('member');
  const attest = (flowName: string, fingerprint: string, is_compliant: boolean) => {
    const form = new FormData();
    const data = { attestation_name: 'scan', artifact_fingerprint: fingerprint, is_compliant };
    form.set('data_json', JSON.stringify(data));
    return member().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${sha1(fingerprint)}/generic`, {
      form,
    });
  };
  /** Waits for a number of messages about verdicts and returns them. */
  const messages = async (path: string, count: number) =>
    (await payloads(receiver, path, count)).map(({ event_type, snapshot, artifact: it }) => {
      const { index, status } = snapshot as { index: string; status: string | null };
      return [event_type, Number(index), status, it];
    });

  it('report each change of a verdict, whatever caused it, and nothing else', async () => {
    const [env, built, path] = [await environment(member()), await flow(member()), `/${fresh('verdicts')}`];
    await notification(member(), {
      environments: [env],
      triggers: VERDICTS,
      targets: [webhook(receiver.url(path))],
    });
    const web = digest(env);
    await post(member(), built, artifact(web));
    // Nothing judges: no verdict.
    await report(member(), env, [item({ 'web:1': web })]);
    const strict = await policy(member(), SCANNED);
    const expected: unknown[] = [];
    const next = async (type: string, index: number) => {
      expected.push([type, index, type === 'COMPLIANT_ENV' ? 'COMPLIANT' : 'NON-COMPLIANT', null]);
      expect(await messages(path, expected.length)).toEqual(expected);
    };

    await attach(member(), env, strict);
    await next('NON_COMPLIANT_ENV', 2);
    await attest(built, web, true);
    await next('COMPLIANT_ENV', 3);
    const trail = `/attestations/acme/${built}/trail/${sha1(web)}`;
    const overridden = {
      attestation_name: 'scan',
      reason: 'it was of another image',
      original_attestation_type: 'generic',
    };
    await member().expect(201, 'POST', `${trail}/override`, {
      json: { ...overridden, artifact_fingerprint: web, new_compliance_status: false },
    });
    await next('NON_COMPLIANT_ENV', 4);
    await attest(built, web, true);
    await next('COMPLIANT_ENV', 5);
    await policy(
      member(),
      policyYaml('  attestations: [{type: generic, name: scan}, {type: snyk, name: vulnerabilities}]\n'),
      strict,
    );
    await next('NON_COMPLIANT_ENV', 6);
    // Another snapshot of the same verdict.
    await report(member(), env, [item({ 'web:1': web }), item({ 'b:1': digest(fresh('b')) })]);
    await report(member(), env, [item({ 'web:1': web })]);
    const json = { artifact_fingerprint: web, artifact_name: 'web', description: 'its vendor' };
    await member().expect(201, 'PUT', `/allowlists/acme/${env}`, { json });
    await next('COMPLIANT_ENV', 9);
    // From false to unknown, and from unknown to true. A notification says what becomes false, and what becomes true again.
    await member().expect(200, 'DELETE', `/environments/acme/${env}/policies`, { json: { policy_names: [strict] } });
    await attach(member(), env, strict);
    await report(member(), env, [item({ 'b:2': digest(fresh('b')) })]);
    await next('NON_COMPLIANT_ENV', 12);
    await report(member(), env, []);
    await next('COMPLIANT_ENV', 13);
    expect(await member().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`)).toMatchObject({
      index: 13,
      compliant: true,
    });
  });

  it('report each entry of an allow-list once, running or not', async () => {
    const [env, path] = [await environment(member()), `/${fresh('allowed')}`];
    await notification(member(), {
      environments: [env],
      triggers: ['ON_ALLOWED_ARTIFACT'],
      targets: [webhook(receiver.url(path))],
    });
    const allow = (name: string, status = 201) =>
      member().expect(status, 'PUT', `/allowlists/acme/${env}`, {
        json: { artifact_fingerprint: digest(`${env} ${name}`), artifact_name: name, description: 'its vendor' },
      });
    await allow('nowhere:1');
    await report(member(), env, [item({ 'runs:1': digest(`${env} runs:1`) })]);
    await allow('runs:1');
    await allow('runs:1', 200);
    await allow('last:1');
    const answers = (await payloads(receiver, path, 3)).map(({ event_type, snapshot, artifact: it }) => [
      event_type,
      snapshot,
      it,
    ]);
    const entry = (name: string) => expect.objectContaining({ name, fingerprint: digest(`${env} ${name}`) }) as unknown;
    const first = expect.objectContaining({ index: '1' }) as unknown;
    // Messages that are due at the same time have no order.
    expect(answers).toEqual(
      expect.arrayContaining([
        ['ARTIFACT_ALLOWED', null, entry('nowhere:1')],
        ['ARTIFACT_ALLOWED', first, entry('runs:1')],
        ['ARTIFACT_ALLOWED', first, entry('last:1')],
      ]),
    );
    expect((await arrived(receiver, path, 3)).length).toBe(3);
  });
});
