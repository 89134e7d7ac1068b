import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import {
  artifact,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  policyForm,
  policyYaml,
  post,
  sha1,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const NO_TIME = /^Input should be a time from 1970 to 9999, in epoch seconds \[input: /;
const HALF = /half of a surrogate pair/;
/** Seconds that are none: before 1970, milliseconds, microseconds. */
const WILD = [-1, 1_700_000_000_000, 1e15, 1.7e15];
const HOOKS = '/organizations/acme/environments_notifications';

onEveryDeployment((world) => {
  const member = () => world().as('member');
  const attestForm = (data: unknown) => {
    const form = new FormData();
    form.set('data_json', typeof data === 'string' ? data : JSON.stringify(data));
    return form;
  };
  const at = (flowName: string) => `/attestations/acme/${flowName}/trail/build`;

  describe('a time outside of the years 1970 to 9999 is refused', () => {
    it.each(WILD.filter((seconds) => seconds >= 0))('in an instance, a commit or a test: %d', async (seconds) => {
      const [env, flowName] = [await environment(member()), await flow(member())];
      const runs = { json: { artifacts: [item({ web: digest('a') }, seconds)] } };
      const report = await member().refused(400, 'PUT', `/environments/acme/${env}/report/docker`, runs);
      expect(report.errors?.['artifacts.0.creationTimestamp']).toMatch(NO_TIME);

      const commit = { sha1: sha1('a'), timestamp: seconds };
      const json = artifact(digest('b'), { git_commit_info: commit });
      const reported = await member().refused(400, 'POST', `/artifacts/acme/${flowName}`, { json });
      expect(reported.errors?.['git_commit_info.timestamp']).toMatch(NO_TIME);
      const begun = await member().refused(400, 'PUT', `/trails/acme/${flowName}`, {
        form: attestForm({ name: 'build', git_commit_info: commit }),
      });
      expect(begun.errors?.['git_commit_info.timestamp']).toMatch(NO_TIME);

      const junit = { junit_results: [{ name: 's', failures: 0, errors: 0, total: 1, timestamp: seconds }] };
      const tested = await member().refused(400, 'POST', `${at(flowName)}/junit`, {
        form: attestForm({ attestation_name: 'unit', ...junit }),
      });
      expect(Object.entries(tested.errors ?? {})).toEqual([
        ['junit_results.0.timestamp', expect.stringMatching(NO_TIME)],
      ]);
    });

    it.each(WILD)('as the expiry of a key: %d', async (seconds) => {
      const name = fresh('robot');
      const admin = world().as('admin');
      await admin.expect(201, 'POST', '/service-accounts/acme', { json: { name, privilege: 'reader' } });
      const json = { description: '', expires_at: seconds };
      const { errors } = await admin.refused(400, 'POST', `/service-accounts/acme/${name}/api-keys`, { json });
      expect(errors?.['expires_at']).toMatch(NO_TIME);
    });

    it('in a query', async () => {
      const env = await environment(member());
      for (const seconds of ['-1', '1700000000000', '253402300800']) {
        for (const path of [
          `/deployments/acme?start_ts=${seconds}`,
          `/deployments/acme?end_ts=${seconds}`,
          `/environments/acme/${env}/events?start_ts=${seconds}`,
        ]) {
          const { errors } = await member().refused(400, 'GET', path);
          expect(Object.values(errors ?? {})).toEqual([expect.stringMatching(NO_TIME)]);
        }
      }
      await member().refused(400, 'GET', `/snapshots/acme/${env}/${encodeURIComponent('@{1969-12-31T23:59:59}')}`);
    });
  });

  describe('half of a surrogate pair', () => {
    it('does not result from cutting a masked URL', async () => {
      const webhook = 'https://hooks.example.com/secret-😀abc';
      const json = { name: fresh('alert'), type: 'env', environments: [], triggers: ['ON_STARTED_ARTIFACT'] };
      const targets = [{ type: 'WEBHOOK', webhook }];
      expect(await member().expect(201, 'PUT', HOOKS, { json: { ...json, targets } })).toBe('OK');
    });

    it('does not result from cutting the name of a file', async () => {
      const flowName = await flow(member());
      const form = attestForm({ attestation_name: 'scan', is_compliant: true });
      form.append('attachment_file', new Blob(['x']), `${'a'.repeat(254)}😀.txt`);
      await member().expect(201, 'POST', `${at(flowName)}/generic`, { form });
      const [result] = await member().get<AttestationAnswer[]>(`${at(flowName)}/scan`);
      expect(JSON.stringify(result)).not.toMatch(/\\ud83d(?!\\u)/);
    });

    it('is refused in the name of a file', async () => {
      const flowName = await flow(member());
      const text = [
        '--b\r\ncontent-disposition: form-data; name="data_json"\r\n\r\n{"attestation_name":"scan","is_compliant":true}',
        `--b\r\ncontent-disposition: form-data; name="attachment_file"; filename*=utf-16le''a%00%00%D8`,
        'content-type: application/octet-stream\r\n\r\nx',
        '--b--\r\n',
      ].join('\r\n');
      const headers = { 'content-type': 'multipart/form-data; boundary=b' };
      const { errors } = await member().refused(400, 'POST', `${at(flowName)}/generic`, { text, headers });
      expect(errors?.['attachment_file']).toMatch(HALF);
    });

    it('is refused in an escape of YAML', async () => {
      const template = 'version: 1\ntrail:\n  attestations:\n    - name: "a\\ud800"\n      type: generic\n';
      const { errors } = await member().refused(400, 'PUT', '/flows/acme/template_file', {
        form: flowForm({ name: fresh('flow'), description: '' }, template),
      });
      expect(Object.values(errors ?? {}).join()).toMatch(HALF);
      const rule = policyYaml(
        '  attestations:\n    - if: "${{ flow.name == \\"\\udc00\\" }}"\n      name: a\n      type: generic\n',
      );
      const refused = await member().refused(400, 'PUT', '/policies/acme', {
        form: policyForm({ name: fresh('policy') }, rule),
      });
      expect(Object.values(refused.errors ?? {}).join()).toMatch(HALF);
    });

    it('is refused in an escape of JSON, in a body and in a form', async () => {
      const json = '{"name":"n","type":"docker","description":"\\ud800"}';
      const { errors } = await member().refused(400, 'PUT', '/environments/acme', { text: json });
      expect(errors?.['description']).toMatch(HALF);
      const flowName = await flow(member());
      const field = '{"attestation_name":"scan","is_compliant":true,"user_data":{"\\udfff":1}}';
      const inForm = await member().refused(400, 'POST', `${at(flowName)}/generic`, { form: attestForm(field) });
      expect(inForm.errors?.['user_data']).toMatch(HALF);
    });

    it('is refused in an encoded path or query', async () => {
      const paths = ['environments/acme/a%ED%A0%80', 'repos/acme/a%ED%A0%80', 'snapshots/acme/e/%ED%B0%80'];
      for (const path of paths) {
        const { status } = await member().sendRaw('GET', `/api/v2/${path}`);
        expect([path, [400, 404].includes(status)]).toEqual([path, true]);
      }
      for (const query of ['deployments/acme?env_name=%ED%A0%80', 'flows/acme?tag=%ED%A0%80%ED']) {
        const { status } = await member().sendRaw('GET', `/api/v2/${query}`);
        expect([query, status < 500]).toEqual([query, true]);
      }
    });
  });

  it('accepts the first and the last supported time', async () => {
    const flowName = await flow(member());
    for (const timestamp of [0, 0.5, 253_402_300_799]) {
      const git_commit_info = { sha1: sha1('a'), timestamp };
      await post(member(), flowName, artifact(digest(`at ${timestamp}`), { git_commit_info }));
    }
  });
});
