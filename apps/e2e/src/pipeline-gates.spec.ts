// Gates of pipelines in front of the real service. apps/e2e/src/deploy/gates.spec.ts has what they make of other answers.
import { keyOf } from './support/declared';
import { allGates, type GateInputs } from './support/gates';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  policy,
  policyYaml,
  post,
  PROVENANCE,
} from './support/samples';
import { onEveryDeployment, type World } from './support/world';

const GATES = allGates();
/** Artifacts by how they fare in their flows, and one without any. */
const ARTIFACTS = ['good', 'bad', 'good and bad', 'bad and good', 'never recorded'] as const;
type Artifact = (typeof ARTIFACTS)[number];
/** No artifact of this file has a review, whatever its flow says. */
const REVIEWED = policyYaml('  attestations:\n    - {name: "*", type: pull_request}\n');
type Question = Omit<GateInputs, 'url' | 'organization' | 'key'>;

/** A flow in which an artifact complies, or does not. */
async function flowWith(world: World, isCompliant: boolean, fingerprint: string): Promise<string> {
  const name = await flow(world.as('admin'));
  const trail = fresh('trail');
  await post(world.as('admin'), name, artifact(fingerprint, { trail_name: trail }));
  const data = { attestation_name: 'tests', is_compliant: isCompliant, artifact_fingerprint: fingerprint };
  const form = flowForm(data);
  await world.as('admin').expect(201, 'POST', `/attestations/acme/${name}/trail/${trail}/generic`, { form });
  return name;
}

async function prepare(world: World) {
  const admin = world.as('admin');
  const [proven, reviewed] = [await policy(admin, PROVENANCE), await policy(admin, REVIEWED)];
  const judgedBy = async (...policies: readonly string[]) => {
    const name = await environment(admin);
    if (policies.length > 0) await attach(admin, name, ...policies);
    return name;
  };
  const fingerprints = Object.fromEntries(ARTIFACTS.map((name) => [name, digest(fresh(name))])) as Record<
    Artifact,
    string
  >;
  const flows: { readonly artifact: Artifact; readonly flow: string; readonly isCompliant: boolean }[] = [];
  for (const artifact of ARTIFACTS) {
    for (const kind of artifact === 'never recorded' ? [] : artifact.split(' and ')) {
      const isCompliant = kind === 'good';
      flows.push({ artifact, flow: await flowWith(world, isCompliant, fingerprints[artifact]), isCompliant });
    }
  }
  const excepted = await judgedBy(reviewed);
  for (const artifact_fingerprint of Object.values(fingerprints)) {
    const json = { artifact_fingerprint, artifact_name: '', description: '' };
    await admin.expect(201, 'PUT', `/allowlists/acme/${excepted}`, { json });
  }
  const archived = await judgedBy(proven);
  await admin.expect(200, 'PUT', `/environments/acme/${archived}/archive`);
  const rename = async (name: string) => {
    await admin.expect(200, 'PUT', `/environments/acme/${name}/rename`, { json: { new_name: fresh('renamed') } });
    return name;
  };
  const environments = {
    'that it meets': await judgedBy(proven),
    'that refuses it': await judgedBy(proven, reviewed),
    'that refuses it with an exception': excepted,
    'that nobody made': fresh('none'),
    'that is archived': archived,
    'that it meets, by its former name': await rename(await judgedBy(proven)),
    'that refuses it, by its former name': await rename(await judgedBy(reviewed)),
    'without policies': await judgedBy(),
  };
  return { fingerprints, flows, environments };
}

onEveryDeployment((world) => {
  let samples: Awaited<ReturnType<typeof prepare>>;
  beforeAll(async () => {
    samples = await prepare(world());
  }, 180_000);

  /** Whether the artifact may go on, by all gates alike. */
  async function passes(question: Question, key = keyOf('reader', world().org)): Promise<boolean> {
    const { url, org: organization } = world();
    const results = await Promise.all(
      GATES.map(({ run }) => run({ url, organization, key, maxSeconds: 60, ...question })),
    );
    const codes = new Set(results.map(({ code }) => code));
    if (codes.size > 1) throw new Error(`gates differ: ${JSON.stringify(results)}`);
    return codes.has(0);
  }

  const MET = ['that it meets', 'that refuses it with an exception', 'that it meets, by its former name'];

  it.each([
    ...MET.map((kind) => [kind, true] as const),
    ...['that refuses it', 'that nobody made', 'that is archived', 'that refuses it, by its former name'].map(
      (kind) => [kind, false] as const,
    ),
    ['without policies', false],
  ] as const)('an environment %s, whatever the flows say: %s', async (kind, expected) => {
    const { fingerprints, environments } = samples;
    for (const [artifact, fingerprint] of Object.entries(fingerprints)) {
      // An exception holds for what nobody recorded too; no policy is met by it.
      const isExpected = expected && (artifact !== 'never recorded' || kind.includes('exception'));
      const question = { fingerprint, environment: environments[kind as keyof typeof environments] };
      expect({ artifact, passes: await passes(question) }).toEqual({ artifact, passes: isExpected });
    }
  });

  it('a flow: only if the artifact complies in it, however many others it has', async () => {
    const { fingerprints, flows } = samples;
    for (const { artifact, flow, isCompliant } of flows) {
      const fingerprint = fingerprints[artifact];
      expect({ artifact, passes: await passes({ fingerprint, flow }) }).toEqual({ artifact, passes: isCompliant });
    }
    const [{ flow } = { flow: '' }] = flows;
    expect(await passes({ fingerprint: fingerprints['never recorded'], flow })).toBe(false);
    expect(await passes({ fingerprint: fingerprints.bad, flow })).toBe(false);
    expect(await passes({ fingerprint: fingerprints.good, flow: fresh('none') })).toBe(false);
  });

  it('what nothing judges goes on where that is allowed, and nothing else', async () => {
    const { fingerprints, environments } = samples;
    const allowed = (environment: string, fingerprint = fingerprints.good) =>
      passes({ fingerprint, environment, allowUnjudged: true });
    expect(await allowed(environments['without policies'])).toBe(true);
    expect(await allowed(environments['without policies'], fingerprints['never recorded'])).toBe(false);
    expect(await allowed(environments['that refuses it'])).toBe(false);
    expect(await allowed(environments['that is archived'])).toBe(false);
  });

  it('stops for a key that nobody has, of another organization, or that is empty', async () => {
    const { fingerprints, environments } = samples;
    const question = { fingerprint: fingerprints.good, environment: environments['that it meets'] };
    expect(await passes(question)).toBe(true);
    for (const key of ['nobody-has-this', 'other-admin-key', '']) expect(await passes(question, key)).toBe(false);
  });

  it('says in the header of 404 that nobody recorded the artifact, and nothing there of an environment that is missing', async () => {
    const { fingerprints, flows, environments } = samples;
    const fingerprint = fingerprints['never recorded'];
    const answered = async (query: string) => {
      const path = `/asserts/acme/fingerprint/${fingerprint}${query}`;
      const { status, headers } = await world().as('reader').send('GET', path);
      return [status, headers.get('x-assurance-verdict')];
    };
    const [{ flow } = { flow: '' }] = flows;
    const [met, archived] = [environments['that it meets'], environments['that is archived']];
    const header = `not-recorded; sha256=${fingerprint}`;
    expect(await answered('')).toEqual([404, header]);
    expect(await answered(`?environment_name=${met}`)).toEqual([404, `${header}; environment=${met}`]);
    expect(await answered(`?flow_name=${flow}`)).toEqual([404, `${header}; flow=${flow}`]);
    expect(await answered(`?environment_name=${fresh('none')}`)).toEqual([404, null]);
    expect(await answered(`?environment_name=${archived}`)).toEqual([404, null]);
    expect(await answered(`?flow_name=${fresh('none')}`)).toEqual([404, null]);
  });

  it('names what was asked in the header, for every question', async () => {
    const { fingerprints, flows, environments } = samples;
    const fingerprint = fingerprints.good;
    const verdictOf = async (query: string) => {
      const path = `/asserts/acme/fingerprint/SHA256:${fingerprint.toUpperCase()}${query}`;
      return (await world().as('reader').send('GET', path)).headers.get('x-assurance-verdict');
    };
    const [{ flow } = { flow: '' }] = flows;
    const [met, open] = [environments['that it meets'], environments['without policies']];
    const reviewed = await policy(world().as('admin'), REVIEWED);
    const proven = await policy(world().as('admin'), PROVENANCE);
    const about = `sha256=${fingerprint}`;
    expect(await verdictOf('')).toBe(`compliant; ${about}`);
    expect(await verdictOf(`?environment_name=${met}`)).toBe(`compliant; ${about}; environment=${met}`);
    expect(await verdictOf(`?flow_name=${flow}`)).toBe(`compliant; ${about}; flow=${flow}`);
    expect(await verdictOf(`?flow_name=${flow}&environment_name=${met}`)).toBe(
      `compliant; ${about}; environment=${met}; flow=${flow}`,
    );
    expect(await verdictOf(`?environment_name=${open}`)).toBe(`not-judged; ${about}; environment=${open}`);
    expect(await verdictOf(`?policy_name=${proven}&policy_name=${reviewed}`)).toBe(
      `non-compliant; ${about}; policy=${proven}; policy=${reviewed}`,
    );
  });
});
