import { Readable } from 'node:stream';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { canonicalJson, sha256 } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import { compressWithGzip } from '../gzip';
import { type Chain, jsonText } from '../manifest';
import { AT, checkpointOf, HEADING, SIGNER, streamOf } from '../testing/sample';
import { type PackageFile, textFile, writePackage } from '../write';
import { verifyPackage } from './verify';

const [TRAIL, FLOW, POLICY] = ['trail/f/build-1', 'flow/f', 'policy/p'] as const;
const FOLDER = 'policies/001-strict-v2';

const event = (type: string, data: object): DomainEvent => ({ type, version: 1, data });
const updated = (templateId: string, more: object = {}) =>
  event('FlowUpdated', { template: { yaml: `# ${templateId}\n` }, templateId, ...more });
const revised = (version: number, yaml: string) => event('PolicyRevised', { version, comment: 'why', yaml, rules: {} });

const OF_TRAIL = [event('TrailBegun', { templateId: 't1' }), event('ArtifactReported', { templateId: 't3' })];
const OF_FLOW = [
  event('FlowCreated', {
    id: 'f',
    name: 'shop',
    description: '',
    visibility: 'private',
    template: { list: ['artifact'] },
    templateId: 't1',
  }),
  updated('t2'),
  updated('t3', { description: 'Sells tea' }),
  event('FlowTagged', { set: { team: 'tea', old: '1' }, removed: [] }),
  event('FlowTagged', { set: {}, removed: ['old'] }),
  event('FlowRenamed', { name: 'tea-shop', previousName: 'shop' }),
];
const OF_POLICY = [
  event('PolicyCreated', { id: 'p', name: 'strict', description: '', comment: '', yaml: 'one\n', rules: {} }),
  event('PolicyDescribed', { description: 'Rules' }),
  revised(2, 'two\n'),
  revised(3, 'three\n'),
];

/** The files of the package: commits, and the files that show their data. */
interface Parts {
  readonly trail: readonly Commit[];
  readonly flow: readonly Commit[];
  readonly policy: readonly Commit[];
  readonly flowJson: Readonly<Record<string, unknown>>;
  readonly template: string;
  readonly policyJson: Readonly<Record<string, unknown>>;
  readonly yaml: string;
  readonly more: readonly PackageFile[];
}

/** A commit without the data of its events. */
const untold = (commit: Commit): Commit => ({ ...commit, events: commit.events.map(({ data: _, ...rest }) => rest) });
const untoldAt = (commits: readonly Commit[], ...seqs: readonly number[]) =>
  commits.map((commit) => (seqs.includes(commit.seq) ? untold(commit) : commit));

const whole = async (): Promise<Parts> => ({
  trail: await streamOf(TRAIL, OF_TRAIL),
  flow: untoldAt(await streamOf(FLOW, OF_FLOW), 2),
  policy: untoldAt(await streamOf(POLICY, OF_POLICY), 2, 4),
  flowJson: {
    id: 'f',
    name: 'tea-shop',
    description: 'Sells tea',
    visibility: 'private',
    tags: { team: 'tea' },
    archived: false,
    recorded: { stream: FLOW, seq: 6 },
    template: { id: 't3', path: 'flow/template.yaml', recorded: { stream: FLOW, seq: 3 } },
  },
  template: '# t3\n',
  policyJson: {
    id: 'p',
    name: 'strict',
    version: 2,
    comment: 'why',
    when: new Date(AT - 1).toISOString(),
    by_whom: { id: 'u', name: 'ada' },
    recorded: { stream: POLICY, seq: 3 },
  },
  yaml: 'two\n',
  more: [],
});

/** The findings for a package of these parts. Its signature and digests are right. */
async function faultsOf(change: (parts: Parts) => Partial<Parts> | Promise<Partial<Parts>>): Promise<string[]> {
  const right = await whole();
  const parts = { ...right, ...(await change(right)) };
  async function* files(): AsyncGenerator<PackageFile, readonly Chain[]> {
    yield textFile(`${FOLDER}/policy.yaml`, parts.yaml);
    yield textFile(`${FOLDER}/policy.json`, jsonText(parts.policyJson));
    yield textFile('flow/flow.json', jsonText(parts.flowJson));
    yield textFile('flow/template.yaml', parts.template);
    yield* parts.more;
    const chains: Chain[] = [];
    for (const kind of ['trail', 'flow', 'policy'] as const) {
      const commits = parts[kind];
      const last = commits.at(-1) as Commit;
      const path = `events/${kind}/1.jsonl`;
      yield textFile(path, commits.map((commit) => `${canonicalJson(commit)}\n`).join(''));
      // The checkpoint is of the original commits, even if the test changed them.
      yield textFile(`checkpoints/${kind}.json`, canonicalJson(checkpointOf(right[kind].at(-1) as Commit)));
      const { stream, seq } = last;
      chains.push({
        stream,
        from: 1,
        to: seq,
        head: commitHash(last),
        files: [path],
        checkpoint: `checkpoints/${kind}.json`,
      });
    }
    return chains;
  }
  const tgz = compressWithGzip(writePackage({ heading: HEADING, files: files(), signers: [SIGNER] }));
  const { findings } = await verifyPackage(Readable.from(tgz), [SIGNER.key]);
  return findings.map(({ path, fault }) => `${path}: ${fault}`);
}

const flowSays =
  (more: object) =>
  ({ flowJson }: Parts) => ({ flowJson: { ...flowJson, ...more } });
const policySays =
  (more: object) =>
  ({ policyJson }: Parts) => ({ policyJson: { ...policyJson, ...more } });
const templateSays = (more: object) => (parts: Parts) =>
  flowSays({ template: { ...(parts.flowJson['template'] as object), ...more } })(parts);

describe('a package that shows policies and the flow', () => {
  it('is right when it shows what the commits tell, whatever else they leave out', async () => {
    expect(await faultsOf(() => ({}))).toEqual([]);
    expect(await faultsOf(({ flow }) => ({ flow: untoldAt(flow, 2) }))).toEqual([]);
    // The package has no stream with the names of actors.
    expect(await faultsOf(policySays({ by_whom: { id: 'u', name: 'Ada L.' }, new_field: 1 }))).toEqual([]);
  });

  it('is right as earlier releases made it, which did not say what recorded a policy', async () => {
    expect(await faultsOf(policySays({ recorded: undefined, version: 7 }))).toEqual([]);
  });

  it.each<readonly [string, (parts: Parts) => Partial<Parts>, string]>([
    [
      'another text',
      () => ({ yaml: 'three\n' }),
      `${FOLDER}/policy.yaml: it is not the text that commit 3 of policy/p tells`,
    ],
    ['another version', policySays({ version: 3 }), `${FOLDER}/policy.json: its version is not what was recorded`],
    ['another name', policySays({ name: 'lax' }), `${FOLDER}/policy.json: its name is not what was recorded`],
    ['another time', policySays({ when: new Date(0).toISOString() }), `${FOLDER}/policy.json: its when is not`],
    ['somebody else', policySays({ by_whom: { id: 'eve', name: 'ada' } }), `${FOLDER}/policy.json: its by_whom is not`],
    [
      'a commit that is not told',
      policySays({ recorded: { stream: POLICY, seq: 4 } }),
      `${FOLDER}/policy.json: commit 4 of policy/p, which it names, tells of no such version`,
    ],
    ['no object', () => ({ policyJson: null as never }), `${FOLDER}/policy.json: it is not what we write`],
    ['other tags', flowSays({ tags: { team: 'tea', old: '1' } }), 'flow/flow.json: its tags is not what was recorded'],
    ['another description', flowSays({ description: '' }), 'flow/flow.json: its description is not'],
    ['an earlier end', flowSays({ recorded: { stream: FLOW, seq: 5 } }), 'flow/flow.json: its recorded is not'],
    ['another flow', flowSays({ recorded: { stream: 'flow/g', seq: 6 } }), 'flow/flow.json: no commits tell of flow/g'],
    [
      'another template text',
      () => ({ template: '# t2\n' }),
      'flow/template.yaml: it is not the template that commit 3',
    ],
    [
      'another template id',
      templateSays({ id: 't2' }),
      'flow/flow.json: commit 3 of flow/f, which it names, tells of no',
    ],
    [
      'a template that the trail was not held to',
      (parts) => ({
        ...templateSays({ id: 't1', recorded: { stream: FLOW, seq: 1 } })(parts),
        template: jsonText(['artifact']),
      }),
      'flow/flow.json: its template is not the one that the trail was held to',
    ],
    [
      'tags whose commit is not told',
      ({ flow }) => ({ flow: untoldAt(flow, 2, 5) }),
      'events/flow/1.jsonl: commit 5: it does not tell the data of FlowTagged',
    ],
    [
      'a flow without its beginning',
      ({ flow }) => ({ flow: untoldAt(flow, 1, 2) }),
      'events/flow/1.jsonl: commit 3: FlowUpdated cannot be read, or follows from nothing that is told',
    ],
    [
      'commits that no chain holds',
      () => ({ more: [textFile('events/more/1.jsonl', '{"stream":"s","seq":1,"prev":null,"events":[]}\n')] }),
      'events/more/1.jsonl: its commits are of no chain',
    ],
  ])('is wrong when it shows %s', async (_, change, fault) => {
    expect(await faultsOf(change)).toContainEqual(expect.stringContaining(fault));
  });

  it.each(['flow', 'policy'] as const)('names a commit of the %s that was changed', async (kind) => {
    const path = `events/${kind}/1.jsonl`;
    const changed = (more: Partial<Commit>) => async (parts: Parts) => ({
      [kind]: parts[kind].map((commit) => (commit.seq === 3 ? { ...commit, ...more } : commit)),
    });
    expect(await faultsOf(changed({ actor: 'eve' }))).toContainEqual(
      `${path}: commit 4: it does not follow the commit 3 that is there: prev is not its hash`,
    );
    const other = [{ type: 'X', version: 1, digest: sha256('{}'), size: 2, data: '{"x":1}' }];
    expect(await faultsOf(changed({ events: other }))).toContainEqual(
      expect.stringContaining(`${path}: commit 3: the data of X does not have the digest`),
    );
  });

  it.each([
    ['flow', FLOW, OF_FLOW.with(2, updated('t3', { template: { yaml: '# mild\n' }, description: 'Sells tea' }))],
    ['policy', POLICY, OF_POLICY.with(2, revised(2, 'mild\n'))],
  ] as const)('does not match its checkpoint if all of the %s was rewritten', async (kind, stream, events) => {
    const commits = await streamOf(stream, events);
    const answers = await faultsOf(() => ({
      [kind]: commits,
      ...(kind === 'flow' ? { template: '# mild\n' } : { yaml: 'mild\n' }),
    }));
    expect(answers).toEqual([`checkpoints/${kind}.json: it does not hold commit ${events.length} of ${stream}`]);
  });

  it('is held to data that lies outside of its commit', async () => {
    const yaml = `two # ${'x'.repeat(70_000)}\n`;
    const large = revised(2, yaml);
    const stream = await streamOf(POLICY, OF_POLICY.with(2, large));
    const data = canonicalJson(large.data);
    const parts = { policy: untoldAt(stream, 2, 4), more: [textFile(`events/data/${sha256(data)}.json`, data)] };
    const faults = [`checkpoints/policy.json: it does not hold commit 4 of ${POLICY}`];
    expect(stream[2]?.events[0]).not.toHaveProperty('data');
    expect(await faultsOf(() => ({ ...parts, yaml }))).toEqual(faults);
    expect(await faultsOf(() => ({ ...parts, yaml: 'two\n' }))).toContainEqual(
      `${FOLDER}/policy.yaml: it is not the text that commit 3 of ${POLICY} tells`,
    );
    expect(await faultsOf(() => ({ policy: parts.policy, yaml }))).toContainEqual(
      expect.stringContaining('no such version'),
    );
  });
});
