import {
  artifact,
  CREATED,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  policyForm,
  report,
  repository,
} from './support/samples';
import { onOwnServices } from './support/world';

const BYTES = 4_096;
const ARTIFACTS = 3;
const REMEDY = 'Send what is larger with an attestation as a file';
const items = (count: number) => Array.from({ length: count }, (_, i) => item({ [`a${i}`]: digest(`${i}`) }));

onOwnServices(
  (world) => {
    const caller = () => world().as('admin');
    const padded = (bytes: number) => {
      const json = JSON.stringify({ artifacts: items(1) });
      return json + ' '.repeat(bytes - json.length);
    };

    it('accepts a body up to the limit, and names the limit beyond it', async () => {
      const env = await environment(caller());
      const path = `/environments/acme/${env}/report/docker`;
      expect(await caller().expect(200, 'PUT', path, { text: padded(BYTES) })).toBe(CREATED(1));
      const error = await caller().refused(413, 'PUT', path, { text: padded(BYTES + 1) });
      expect(error).toEqual({ message: expect.stringContaining(String(BYTES)) });
    });

    it('names the limit on every route that takes a body', async () => {
      const flowName = await flow(caller());
      const description = 'x'.repeat(BYTES);
      for (const [method, path, sent] of [
        ['PUT', '/environments/acme', { json: { name: fresh('env'), type: 'docker', description } }],
        ['PUT', '/flows/acme', { json: { name: fresh('flow'), description } }],
        ['PUT', '/flows/acme/template_file', { form: flowForm({ name: fresh('flow'), description }) }],
        [
          'PUT',
          '/flows/acme/template_file',
          { form: flowForm({ name: fresh('flow') }, `version: 1 # ${description}\n`) },
        ],
        ['POST', `/artifacts/acme/${flowName}`, { json: artifact(digest('x'), { build_url: description }) }],
      ] as const) {
        const { message } = await caller().refused(413, method, path, sent);
        expect(message).toMatch(new RegExp(`limit of ${BYTES} bytes\\. [A-Z].+$`));
      }
    });

    it('applies the limit to a body without a length', async () => {
      const env = await environment(caller());
      const pieces = async function* () {
        for (let i = 0; i < 64; i += 1) yield await Promise.resolve(Buffer.alloc(BYTES, ' '));
      };
      const answer = await fetch(`${world().url}/api/v2/environments/acme/${env}/report/docker`, {
        method: 'PUT',
        headers: { authorization: 'Bearer acme-admin-key', 'content-type': 'application/json' },
        body: ReadableStream.from(pieces()) as unknown as RequestInit['body'],
        duplex: 'half',
      } as RequestInit);
      expect([answer.status, await answer.json()]).toEqual([413, { message: expect.stringContaining(String(BYTES)) }]);
    });

    it('checks key and role before it reads a body', async () => {
      const sent = { text: padded(BYTES + 1) };
      await world().withHeader('Bearer wrong').refused(401, 'PUT', '/environments/acme', sent);
      await world().as('reader').refused(403, 'PUT', '/environments/acme', sent);
    });

    it('accepts artifacts up to the limit, and names the limit beyond it', async () => {
      const env = await environment(caller());
      expect(await report(caller(), env, items(ARTIFACTS))).toBe(CREATED(1));
      const path = `/environments/acme/${env}/report/docker`;
      const { message } = await caller().refused(413, 'PUT', path, { json: { artifacts: items(ARTIFACTS + 1) } });
      expect(message).toBe(
        `The report has ${ARTIFACTS + 1} artifacts, more than the limit of ${ARTIFACTS}. Divide what runs between environments, and join these in a logical one`,
      );
      const digests = Object.fromEntries(Array.from({ length: ARTIFACTS + 1 }, (_, i) => [`n${i}`, digest(`${i}`)]));
      await caller().refused(413, 'PUT', path, { json: { artifacts: [item(digests)] } });
    });
  },
  { ASSURANCE_MAX_BODY_BYTES: String(BYTES), ASSURANCE_MAX_ARTIFACTS_PER_REPORT: String(ARTIFACTS) },
);

onOwnServices(
  (world) => {
    const caller = () => world().as('member');
    const reached = (things: string) => ({
      message: `The organization has reached the limit of 1 ${things}. The operator can raise it`,
    });

    it('accepts environments, flows and repositories up to the limit, and names the limit beyond it', async () => {
      const [env, flowName, repo] = [await environment(caller()), await flow(caller()), repository()];
      const trail = (name: string, repo_info: object) =>
        ['PUT', `/trails/acme/${flowName}`, { form: flowForm({ name, repo_info }) }] as const;
      const put = (json: object) => ['PUT', '/environments/acme', { json: { type: 'docker', ...json } }] as const;
      const other = { form: flowForm({ name: fresh('flow') }) };
      await caller().expect(201, ...trail('one', repo));

      expect(await caller().refused(413, ...put({ name: fresh('env') }))).toEqual(reached('environments'));
      expect(await caller().refused(413, 'PUT', '/flows/acme/template_file', other)).toEqual(reached('flows'));
      expect(await caller().refused(413, ...trail('two', repository()))).toEqual(reached('repositories'));

      // Existing ones can still be changed and used.
      await caller().expect(200, ...put({ name: env, description: 'live' }));
      await caller().expect(201, ...trail('two', repo));
    });
  },
  { ASSURANCE_MAX_ENVIRONMENTS: '1', ASSURANCE_MAX_FLOWS: '1', ASSURANCE_MAX_REPOSITORIES: '1' },
);

onOwnServices((world) => {
  const KiB = 1024;
  const caller = () => world().as('member');

  it('accepts many megabytes only for reports and evidence, and names the limit of each other route', async () => {
    const description = 'x'.repeat(1_400 * KiB);
    const long = 'x'.repeat(16_400 * KiB);
    const flowName = await flow(caller());
    for (const [limit, method, path, sent] of [
      [256 * KiB, 'PUT', '/environments/acme', { json: { name: fresh('env'), type: 'docker', description } }],
      [16_384 * KiB, 'POST', `/artifacts/acme/${flowName}`, { json: artifact(digest('x'), { build_url: long }) }],
      [16_384 * KiB, 'PUT', `/trails/acme/${flowName}`, { form: flowForm({ name: 'one', description: long }) }],
      [1_280 * KiB, 'PUT', '/flows/acme/template_file', { form: flowForm({ name: fresh('flow'), description }) }],
      [64 * KiB, 'PUT', `/flows/acme/${flowName}/archive`, { text: description }],
    ] as const) {
      const { message } = await caller().refused(413, method, path, sent);
      // What was sent, the limit, and what to do.
      expect(message).toMatch(
        new RegExp(`^The body( of \\d+ bytes)? is larger than the limit of ${limit} bytes\\. [A-Z].+$`),
      );
    }
    const env = await environment(caller());
    const padded = JSON.stringify({ artifacts: items(1) }) + description;
    await caller().refused(400, 'PUT', `/environments/acme/${env}/report/docker`, { text: padded });
  });

  it('accepts user data up to the limit, and names field and limit beyond it', async () => {
    const flowName = await flow(caller());
    const form = (bytes: number) => ({ form: flowForm({ name: 'one', user_data: 'x'.repeat(bytes - 2) }) });
    await caller().expect(201, 'PUT', `/trails/acme/${flowName}`, form(256 * KiB));
    const { errors } = await caller().refused(400, 'PUT', `/trails/acme/${flowName}`, form(256 * KiB + 1));
    expect(errors).toEqual({
      user_data: `Input has ${256 * KiB + 1} bytes of JSON, more than the limit of ${256 * KiB}. ${REMEDY}`,
    });
  });

  it.each(['template', 'policy'])('names size, limit and remedy for a %s that is too large', async (what) => {
    const yaml = 'x'.repeat(64 * KiB + 1);
    const [path, form] =
      what === 'template'
        ? ['/flows/acme/template_file', flowForm({ name: fresh('flow') }, yaml)]
        : ['/policies/acme', policyForm({ name: fresh('policy') }, yaml)];
    const { errors } = await caller().refused(400, 'PUT', path, { form });
    const size = `has ${64 * KiB + 1} bytes, more than the limit of ${64 * KiB}`;
    expect(Object.values(errors ?? {})).toEqual([`The ${what} ${size}. Shorten its comments and descriptions`]);
  });

  it('counts JSON values, in user data and in a body', async () => {
    const flowName = await flow(caller());
    const sent = (values: number) => {
      const form = new FormData();
      form.set('data_json', `{"name":"one","user_data":[${'{},'.repeat(values - 2)}{}]}`);
      return { form };
    };
    await caller().expect(201, 'PUT', `/trails/acme/${flowName}`, sent(10_000));
    const refused = async (values: number) =>
      (await caller().refused(400, 'PUT', `/trails/acme/${flowName}`, sent(values))).errors;
    expect(await refused(10_001)).toEqual({ user_data: `Input should hold at most 10000 values. ${REMEDY}` });
    const holds = /^Input holds more values than the limit of 1000000\. [A-Z]/;
    expect(await refused(1_000_001)).toEqual({ data_json: expect.stringMatching(holds) as string });
  });
});
