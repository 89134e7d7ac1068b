import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { TrailAnswer } from '@assurance/contracts/flows/answers/trail';
import { artifact, digest, environment, flow, flowForm, fresh, sha1 } from './support/samples';
import { withUnpacked } from './support/unpacked';
import { onEveryDeployment } from './support/world';

/** Numbers that no double holds. */
const DIGITS = '{"run_id":12345678901234567890,"half":0.10000000000000000001,"list":[9007199254740993,1e400,1.0]}';
/** The same without the one that a double holds, as answers write it. */
const KEPT = '{"half":0.10000000000000000001,"list":[9007199254740993,1e400,1],"run_id":12345678901234567890}';
/** The year 1, as Go writes its zero time, and the beginning of 1970 and 1980, as reproducible builds do. */
const ODD_TIMES = [-62_135_596_800, -1, 0, 315_532_800];
const JUNIT = { failures: 0, errors: 0, skipped: 0, total: 1 };

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const formOf = (text: string, files: readonly (readonly [string, Blob])[] = []) => {
    const form = new FormData();
    form.set('data_json', text);
    for (const [name, content] of files) form.append('attachment_file', content, name);
    return form;
  };
  const at = (flowName: string) => `/attestations/acme/${flowName}/trail/build-1`;
  const attest = (flowName: string, type: string, data: object | string) =>
    caller().expect(201, 'POST', `${at(flowName)}/${type}`, {
      form: formOf(typeof data === 'string' ? data : JSON.stringify({ attestation_name: 'a', ...data })),
    });
  const refused = async (type: string, text: string) =>
    (await caller().refused(400, 'POST', `${at(fresh('flow'))}/${type}`, { form: formOf(text) })).errors;
  const textOf = async (path: string) => (await caller().send('GET', path)).text;
  const attested = async (flowName: string) => {
    const [newest] = await caller().get<AttestationAnswer[]>(`${at(flowName)}/a`);
    return newest as AttestationAnswer;
  };
  const customType = async (rules: readonly string[], schema?: string) => {
    const name = fresh('type');
    const form = formOf(JSON.stringify({ name, evaluator: { content_type: 'jq', rules } }));
    if (schema !== undefined) form.set('type_schema', new Blob([schema]), 'schema.json');
    await caller().expect(201, 'POST', '/custom-attestation-types/acme', { form });
    return name;
  };

  describe('a number that no double holds', () => {
    it('keeps its digits in user data and in payloads: in answers and in packages', async () => {
      const flowName = fresh('flow');
      const issue = `{"issue_exists":true,"issue_fields":${DIGITS}}`;
      await attest(flowName, 'jira', `{"attestation_name":"a","user_data":${DIGITS},"jira_results":[${issue}]}`);
      const text = await textOf(`${at(flowName)}/a`);
      expect(text).toContain(`"user_data":${KEPT}`);
      expect(text).toContain(`"jira_results":[{"issue_exists":true,"issue_fields":${KEPT}}]`);
      const trail = JSON.stringify({ name: 'build-1', user_data: null }).replace('null', DIGITS);
      await caller().expect(200, 'PUT', `/trails/acme/${flowName}`, { form: formOf(trail) });
      expect(await textOf(`/trails/acme/${flowName}/build-1`)).toContain(`"user_data":${KEPT}`);
      const { content: tgz } = await caller().bytes(`/trails/acme/${flowName}/build-1/audit_package`);
      await withUnpacked(tgz, ({ paths, bytes, one }) => {
        expect(
          bytes(one(/\/payload\.json$/))
            .toString()
            .split(KEPT),
        ).toHaveLength(3);
        const rounded = paths.filter((path) => /123456789012345670|9007199254740992/.test(bytes(path).toString()));
        expect(rounded).toEqual([]);
      });
    });

    it('is compared by its digits in rules, and is a number for schemas', async () => {
      const flowName = fresh('flow');
      const schema = '{"properties":{"id":{"type":"integer"},"large":{"type":"number","minimum":1}}}';
      const type = await customType(['.id == 9007199254740993', '.large > 1e399'], schema);
      const data = '{"id":9007199254740993,"large":1e400}';
      await attest(flowName, 'custom', `{"attestation_name":"a","type_name":"${type}","attestation_data":${data}}`);
      expect(await attested(flowName)).toMatchObject({ is_compliant: true });
      expect(await textOf(`${at(flowName)}/a`)).toContain(`"attestation_data":${data}`);
    });

    it.each([
      ['junit', '"junit_results":[{"failures":12345678901234567890,"errors":0}]', 'junit_results.0.failures'],
      ['junit', '"junit_results":[{"failures":0,"errors":0,"duration":1e400}]', 'junit_results.0.duration'],
      ['generic', '"is_compliant":12345678901234567890', 'is_compliant'],
      ['generic', '"is_compliant":true,"annotations":12345678901234567890', 'annotations'],
      ['generic', '"is_compliant":true,"repo_info":12345678901234567890', 'repo_info'],
      ['jira', '"jira_results":[12345678901234567890]', 'jira_results.0'],
      ['jira', '"jira_results":[{"issue_exists":true,"issue_fields":1e400}]', 'jira_results.0.issue_fields'],
    ])('is refused by name in a field of ours: %s with %s', async (type, fields, field) => {
      expect(Object.keys((await refused(type, `{"attestation_name":"a",${fields}}`)) ?? {})).toEqual([field]);
    });
  });

  describe('a key that stands twice in one object', () => {
    it.each([
      ['generic', '"is_compliant":false,"is_compliant":true', 'is_compliant'],
      ['generic', '"is_compliant":true,"user_data":{"a":[{"b":1,"c":2,"b":1}]}', 'user_data.a.0.b'],
      ['junit', '"junit_results":[{"failures":1,"errors":0,"failures":0}]', 'junit_results.0.failures'],
    ])('is refused in an attestation: %s with %s', async (type, fields, field) => {
      const errors = await refused(type, `{"attestation_name":"a",${fields}}`);
      expect(errors).toEqual({ [field]: 'This key stands twice in one object. Send it once' });
    });

    it('is refused in overrides, trails and artifacts, and in digests of reports', async () => {
      const [flowName, env] = [await flow(caller()), await environment(caller())];
      const twice = (value: object, key: string) => JSON.stringify(value).replace('{', `{"${key}":"x",`);
      const override = { attestation_name: 'a', reason: 'r', new_compliance_status: true };
      const digests = `{"artifacts":[{"digests":{"web:1":"${digest('a')}","web:1":"${digest('b')}"},"creationTimestamp":0}]}`;
      for (const [method, path, sent, field] of [
        ['POST', `${at(flowName)}/override`, { text: twice(override, 'reason') }, 'reason'],
        ['PUT', `/trails/acme/${flowName}`, { form: formOf(twice({ name: 'build-1' }, 'name')) }, 'name'],
        ['POST', `/artifacts/acme/${flowName}`, { text: twice(artifact(digest('a')), 'filename') }, 'filename'],
        ['PUT', `/environments/acme/${env}/report/docker`, { text: digests }, 'artifacts.0.digests.web:1'],
      ] as const) {
        expect(Object.keys((await caller().refused(400, method, path, sent)).errors ?? {})).toEqual([field]);
      }
    });
  });

  describe('an odd time', () => {
    it.each(ODD_TIMES)(
      'of %d is unknown in test results, pull requests and commits, and is served as 0',
      async (time) => {
        const flowName = fresh('flow');
        const git_commit_info = { sha1: sha1('a'), message: 'm', author: 'A', branch: 'main', timestamp: time };
        await attest(flowName, 'junit', {
          git_commit_info,
          junit_results: [{ ...JUNIT, timestamp: time, duration: -1.5 }],
        });
        expect(await attested(flowName)).toMatchObject({
          git_commit_info: { timestamp: 0 },
          junit_results: [{ timestamp: 0, duration: -1.5 }],
        });
        const pull_requests = [
          { url: 'https://pr/1', merged_at: time, created_at: 'Monday', commits: [{ sha1: 'a', timestamp: time }, {}] },
        ];
        await attest(flowName, 'pull_request', { pull_requests });
        expect((await attested(flowName)).pull_requests).toEqual([
          { url: 'https://pr/1', merged_at: 0, created_at: 'Monday', commits: [{ sha1: 'a', timestamp: 0 }, {}] },
        ]);
        const fingerprint = digest(fresh('artifact'));
        const commit = { ...git_commit_info, sha1: sha1(fingerprint) };
        const json = artifact(fingerprint, { git_commit: commit.sha1, git_commit_info: commit });
        await caller().expect(201, 'POST', `/artifacts/acme/${flowName}`, { json });
      },
    );

    it('far in the future, such as milliseconds, is refused', async () => {
      const junit = { attestation_name: 'a', junit_results: [{ ...JUNIT, timestamp: 1.7e12 }] };
      expect(Object.keys((await refused('junit', JSON.stringify(junit))) ?? {})).toEqual(['junit_results.0.timestamp']);
    });
  });

  describe('a commit', () => {
    it('with a message that is too long is recorded, and its message is cut with a mark', async () => {
      const flowName = await flow(caller());
      const git_commit_info = { sha1: sha1('long'), message: 'Squash 🚀'.repeat(13_000), author: 'A', branch: 'main' };
      const form = formOf(JSON.stringify({ name: 'build-1', git_commit_info }));
      await caller().expect(201, 'PUT', `/trails/acme/${flowName}`, { form });
      const { git_commit_info: answer } = await caller().get<TrailAnswer>(`/trails/acme/${flowName}/build-1`);
      expect(answer?.message).toMatch(/^Squash 🚀Squash .*… \[cut: 117000 characters\]$/su);
      expect(answer?.message.length).toBeLessThanOrEqual(65_536);
      const json = artifact(digest(fresh('artifact')), { git_commit: git_commit_info.sha1, git_commit_info });
      await caller().expect(201, 'POST', `/artifacts/acme/${flowName}`, { json });
    });

    it('that differs from the commit of its artifact is refused, and both are named', async () => {
      const flowName = await flow(caller());
      const json = artifact(digest('a'), { git_commit: sha1('built'), git_commit_info: { sha1: sha1('event') } });
      const { errors } = await caller().refused(400, 'POST', `/artifacts/acme/${flowName}`, { json });
      expect(errors?.['git_commit_info.sha1']).toContain(sha1('built'));
      expect(errors?.['git_commit_info.sha1']).toContain(sha1('event'));
    });

    it('of other bytes than UTF-8, and with odd characters, is recorded', async () => {
      const flowName = await flow(caller());
      const odd = 'a\u2028b\u0000c\u202e🚀';
      const json = artifact(digest(fresh('artifact')), {
        git_commit: sha1('odd'),
        git_commit_info: { sha1: sha1('odd'), message: odd, author: 'J\u00f6rg', branch: 'main' },
      });
      const latin = Buffer.from(JSON.stringify(json).replaceAll('🚀', ''), 'latin1');
      for (const text of [JSON.stringify(json), latin]) {
        const { status } = await caller().send('POST', `/artifacts/acme/${flowName}`, { text });
        expect([200, 201]).toContain(status);
      }
    });
  });

  describe('a custom type', () => {
    it('judges 1 MiB of data by its rules, and says the size where a rule takes too long', async () => {
      const flowName = fresh('flow');
      const data = (coverage: number) => ({ blob: 'x'.repeat(1024 * 1024), coverage });
      const type_name = await customType(['.coverage >= 80', '.coverage <= 100']);
      await attest(flowName, 'custom', { type_name, attestation_data: data(90) });
      expect(await attested(flowName)).toMatchObject({ is_compliant: true });
      const endless = await customType(['def f: f; f']);
      const sent = { attestation_name: 'a', type_name: endless, attestation_data: { coverage: 90 } };
      const errors = await refused('custom', JSON.stringify(sent));
      expect(errors?.['attestation_data']).toMatch(/on 15 bytes of data\. Make it simpler, or send less data$/);
    }, 30_000);

    it.each([
      ['null', false],
      ['"85%"', true],
      ['[85]', true],
      ['79', false],
    ])('compares as jq does: %s', async (value, is_compliant) => {
      const flowName = fresh('flow');
      const type_name = await customType(['.coverage >= 80']);
      await attest(flowName, 'custom', { type_name, attestation_data: { coverage: JSON.parse(value) as unknown } });
      expect(await attested(flowName)).toMatchObject({ is_compliant });
    });

    it('takes the usual schemas: of draft 4, of hundreds of KiB, with what they refer to under $defs', async () => {
      const definitions = Object.fromEntries(
        Array.from({ length: 2_000 }, (_, i) => [`d${i}`, { type: 'object', description: 'Some words. '.repeat(10) }]),
      );
      const schema = (more: object) =>
        JSON.stringify({
          $schema: 'http://json-schema.org/draft-04/schema#',
          minimum: 1,
          exclusiveMinimum: true,
          ...more,
        });
      const type_name = await customType([], schema({ definitions }));
      const sent = JSON.stringify({ attestation_name: 'a', type_name, attestation_data: 1 });
      expect(await refused('custom', sent)).toEqual({ attestation_data: 'must be > 1' });
      const form = formOf(JSON.stringify({ name: fresh('type') }));
      form.set('type_schema', new Blob([schema({ properties: { a: { $ref: 'spdx.schema.json' } } })]), 'schema.json');
      const { errors } = await caller().refused(400, 'POST', '/custom-attestation-types/acme', { form });
      expect(errors?.['type_schema']).toContain('Put the referenced schema under $defs');
    });
  });

  describe('many findings', () => {
    const LINES = 'A finding of a scanner, in some words. '.repeat(8);
    const findings = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ id: `CVE-${i}`, title: LINES, from: [i, i + 1], score: 7.5 }));

    it.each([
      [
        'snyk',
        { snyk_results: { results: [{ high_count: 1, medium_count: 0, low_count: 0, high: findings(4_000) }] } },
      ],
      [
        'junit',
        { junit_results: Array.from({ length: 9_000 }, (_, i) => ({ ...JUNIT, name: `com.example.Test${i}` })) },
      ],
      ['jira', { jira_results: [{ issue_exists: true, issue_fields: { comments: findings(5_000) } }] }],
      ['generic', { is_compliant: true, user_data: { deep: { deeper: { findings: findings(5_000) } } } }],
    ])('of %s are recorded and read back', async (type, data) => {
      const flowName = fresh('flow');
      await attest(flowName, type, data);
      const answer = await attested(flowName);
      const { is_compliant: _, ...payload } = data as Record<string, unknown>;
      expect(JSON.stringify(answer).length).toBeGreaterThan(JSON.stringify(payload).length);
      for (const [field, value] of Object.entries(payload)) {
        expect(JSON.stringify(answer[field as keyof AttestationAnswer]).length).toBe(JSON.stringify(value).length);
      }
    });

    it('of 15 MiB are taken in both forms, with their digits; more is refused with the limit', async () => {
      const flowName = fresh('flow');
      const blob = 'x'.repeat(15 * 1024 * 1024);
      await attest(
        flowName,
        'generic',
        `{"attestation_name":"a","is_compliant":true,"user_data":[${DIGITS},"${blob}"]}`,
      );
      expect((await textOf(`${at(flowName)}/a`)).includes(`"user_data":[${KEPT},"${blob}"]`)).toBe(true);
      const twice = `{"attestation_name":"a","is_compliant":true,"user_data":{"a":"${blob}","a":1}}`;
      expect(Object.keys((await refused('generic', twice)) ?? {})).toEqual(['user_data.a']);
      const json = {
        attestation_name: 'a',
        reason: 'r',
        new_compliance_status: true,
        original_attestation_type: 'generic',
      };
      await caller().expect(201, 'POST', `${at(flowName)}/override`, { json: { ...json, user_data: blob } });
      const larger = formOf(
        `{"attestation_name":"a","is_compliant":true,"user_data":"${blob}${blob.slice(0, 1_100_000)}"}`,
      );
      const { message } = await caller().refused(413, 'POST', `${at(flowName)}/generic`, { form: larger });
      expect(message).toContain('limit of 16777216 bytes');
    }, 60_000);
  });

  describe('attachments', () => {
    it('of long names keep what says their kind', async () => {
      const flowName = fresh('flow');
      const names = [`${'very long '.repeat(30)}report.xml`, '../../evil', 'C:\\x', 'con', 'same.xml', 'same.xml'];
      const form = formOf(
        '{"attestation_name":"a","is_compliant":true}',
        names.map((name, i) => [name, new Blob([`${i}`])]),
      );
      await caller().expect(201, 'POST', `${at(flowName)}/generic`, { form });
      const { attachments } = await attested(flowName);
      expect(attachments.map(({ filename }) => filename.slice(-10))).toContain('report.xml');
      expect(Math.max(...attachments.map(({ filename }) => filename.length))).toBe(255);
      const { content: tgz } = await caller().bytes(`/trails/acme/${flowName}/build-1/audit_package`);
      await withUnpacked(tgz, (inside) => {
        const paths = inside.paths.filter((path) => path.includes('/files/'));
        expect(paths).toHaveLength(names.length);
        expect(paths.filter((path) => path.endsWith('.xml'))).toHaveLength(3);
      });
    });
  });

  it('rules of other results stay as vendors have them', async () => {
    const flowName = await flow(caller());
    await caller().expect(200, 'PUT', '/flows/acme/template_file', {
      form: flowForm({ name: flowName, description: '' }),
    });
    const verdict = async (type: string, data: object) => {
      await attest(flowName, type, data);
      return (await attested(flowName)).is_compliant;
    };
    const gate = (status: string, conditions: unknown = null) => ({
      sonar_results: { qualityGate: { status, conditions } },
    });
    expect(await verdict('junit', { junit_results: [JUNIT, { ...JUNIT, failures: 1 }] })).toBe(false);
    expect(await verdict('junit', { junit_results: [] })).toBe(true);
    expect(await verdict('snyk', { snyk_results: { results: [] } })).toBe(true);
    expect(await verdict('jira', { jira_results: [] })).toBe(false);
    for (const status of ['NONE', 'WARN', 'ERROR']) expect(await verdict('sonar', gate(status))).toBe(false);
    expect(await verdict('sonar', gate('OK', []))).toBe(true);
    expect(await verdict('sonar', { sonar_results: {} })).toBe(false);
  });
});
