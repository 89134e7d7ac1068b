import { Readable } from 'node:stream';
import type { DomainEvent } from '@assurance/contracts/events/event';
import type { VexStatement } from '@assurance/contracts/vulnerabilities/events';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { canonicalJson, sha256 } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import { compressWithGzip } from '../gzip';
import { type Chain, jsonText, type PackagedVex } from '../manifest';
import { type ShownStatement, statementContent, VEX } from '../contents';
import { AT, checkpointOf, HEADING, SIGNER, streamOf } from '../testing/sample';
import { type PackageFile, textFile, writePackage } from '../write';
import { verifyPackage } from './verify';

const STREAM = 'vulnerabilities/o';
const PATH = 'events/001-vulnerabilities/00000001.jsonl';
const FILE = { filename: 'log4j.openvex.json', sha256: 'd'.repeat(64), size: 812 };
const statement: VexStatement = {
  vulnerability: 'GHSA-jfh8-c2jp-5v3q',
  aliases: ['CVE-2021-44228'],
  by: 'Acme Security',
  at: AT - 5_000,
  products: [{ id: `sha256:${'a'.repeat(64)}`, subcomponents: [] }],
  status: 'not_affected',
  justification: 'component_not_present',
};
const other: VexStatement = { ...statement, status: 'affected', justification: null, at: null };

const event = (type: string, data: object): DomainEvent => ({ type, version: 1, data });
const importOf = (statements: readonly VexStatement[]) =>
  streamOf(
    STREAM,
    [event('VulnerabilityImportBegun', FILE), event('VexStatementsListed', { statements })],
    'one request',
  );
const shownStatement: ShownStatement = {
  vulnerability: 'CVE-2021-44228',
  aliases: ['GHSA-jfh8-c2jp-5v3q'],
  artifact: 'a'.repeat(64),
  components: ['pkg:npm/a@1'],
  replaced_for: [],
  ...statementContent(statement),
  recorded: { stream: STREAM, seq: 2 },
  document: {
    ...FILE,
    when: new Date(AT - 1).toISOString(),
    by_whom: { id: 'u', name: 'ada' },
    recorded: { stream: STREAM, seq: 1 },
  },
};

interface Parts {
  readonly commits: readonly Commit[];
  readonly json: unknown;
  /** Null for a package of an earlier release. */
  readonly vex: PackagedVex | null;
  readonly more: readonly PackageFile[];
}

/** The findings for a package of these parts. Its signature and digests are right, and the checkpoint contains the original commits. */
async function faultsOf(changes: Partial<Parts>): Promise<string[]> {
  const right = await importOf([statement, other]);
  const { commits, json, vex, more }: Parts = {
    commits: right,
    json: { complete: true, statements: [shownStatement] },
    more: [],
    vex: { document: VEX, statements: 1, complete: true },
    ...changes,
  };
  async function* files(): AsyncGenerator<PackageFile, readonly Chain[]> {
    if (json !== undefined) yield textFile(VEX, jsonText(json));
    yield* more;
    yield textFile(PATH, commits.map((commit) => `${canonicalJson(commit)}\n`).join(''));
    yield textFile('checkpoints/001.json', canonicalJson(checkpointOf(right.at(-1) as Commit)));
    const last = commits.at(-1) as Commit;
    const chain = { stream: STREAM, from: 1, to: last.seq, head: commitHash(last), files: [PATH] };
    return [{ ...chain, checkpoint: 'checkpoints/001.json' }];
  }
  const tgz = compressWithGzip(writePackage({ heading: HEADING, files: files(), vex, signers: [SIGNER] }));
  const { findings } = await verifyPackage(Readable.from(tgz), [SIGNER.key]);
  return findings.map(({ path, fault }) => `${path}: ${fault}`);
}

const says = (more: Partial<ShownStatement>) => ({
  json: { complete: true, statements: [{ ...shownStatement, ...more }] },
});
const documentSays = (more: Partial<ShownStatement['document']>) =>
  says({ document: { ...shownStatement.document, ...more } });

describe('the VEX statements of a package', () => {
  it('are right when they are what the commits tell', async () => {
    expect(await faultsOf({})).toEqual([]);
    expect(await faultsOf(says(statementContent(other)))).toEqual([]);
    // The package has no stream with the names of importers.
    expect(await faultsOf(documentSays({ by_whom: { id: 'u', name: 'Ada L.' } }))).toEqual([]);
  });

  it('may be missing in packages of earlier releases', async () => {
    expect(await faultsOf({ json: undefined, vex: null })).toEqual([]);
    expect(await faultsOf({ json: undefined })).toEqual(['vex.json: it is missing']);
  });

  it.each<readonly [string, Partial<Parts>, string]>([
    ['another state', says({ status: 'fixed' }), 'vex.json: the status of the statement on CVE-2021-44228 is not'],
    ['another reason', says({ justification: null }), 'vex.json: the justification of the statement on'],
    ['another author', says({ by: 'Eve' }), 'vex.json: the by of the statement on'],
    ['another time', says({ at: null }), 'vex.json: the at of the statement on'],
    ['another vulnerability', says({ stated_as: 'CVE-2024-1' }), 'vex.json: the stated_as of the statement on'],
    ['a statement of nobody', says({ sha256: 'e'.repeat(64) }), `vex.json: commit 2 of ${STREAM} does not tell the`],
    [
      'a commit without statements',
      says({ recorded: { stream: STREAM, seq: 1 } }),
      `vex.json: commit 1 of ${STREAM} does not tell the statement on`,
    ],
    ['another document', documentSays({ filename: 'b.json' }), 'vex.json: the filename of the document with'],
    [
      'another digest of the document',
      documentSays({ sha256: 'e'.repeat(64) }),
      'vex.json: the sha256 of the document',
    ],
    ['another time of the import', documentSays({ when: new Date(AT).toISOString() }), 'vex.json: the when of the'],
    [
      'another importer',
      documentSays({ by_whom: { id: 'eve', name: 'ada' } }),
      'vex.json: the by_whom of the document',
    ],
    [
      'no import',
      documentSays({ recorded: { stream: STREAM, seq: 2 } }),
      `vex.json: commit 2 of ${STREAM} does not begin the import of the statement on`,
    ],
    ['fewer than the manifest', { json: { complete: true, statements: [] } }, 'manifest.json: it does not say what'],
    [
      'more than all',
      { json: { complete: false, statements: [shownStatement] } },
      'manifest.json: it does not say what vex.json',
    ],
    ['no list', { json: null }, 'vex.json: it is not what we write'],
  ])('are wrong when they show %s', async (_, changes, fault) => {
    expect(await faultsOf(changes)).toContainEqual(expect.stringContaining(fault));
  });

  it('are held by the chain: a statement that was recorded otherwise is none of its checkpoint', async () => {
    const forged = { ...statement, status: 'affected', justification: null } as const;
    const commits = await importOf([forged, other]);
    expect(await faultsOf({ ...says(statementContent(forged)), commits })).toEqual([
      `checkpoints/001.json: it does not hold commit 2 of ${STREAM}`,
    ]);
    const right = await importOf([statement, other]);
    const data = canonicalJson({ statements: [forged, other] });
    const changed = right.map((commit) =>
      commit.seq === 2 ? { ...commit, events: commit.events.map((event) => ({ ...event, data })) } : commit,
    );
    expect(await faultsOf({ commits: changed })).toContainEqual(
      expect.stringContaining(`${PATH}: commit 2: the data of VexStatementsListed does not have the digest`),
    );
  });

  it('are of the import whose commits they are with', async () => {
    const [begun, listed] = await importOf([statement]);
    const mixed = [{ ...begun, correlation: 'another request' } as Commit, listed as Commit];
    expect(await faultsOf({ commits: mixed })).toContainEqual(
      `vex.json: the statement on CVE-2021-44228 is of another import than commit 1 of ${STREAM}`,
    );
  });

  it('may lie outside of their commits', async () => {
    const large = { ...statement, products: [{ id: 'x'.repeat(70_000), subcomponents: [] }] };
    const commits = await importOf([large]);
    expect(commits[1]?.events[0]).not.toHaveProperty('data');
    const data = canonicalJson({ statements: [large] });
    const more = [textFile(`events/data/${sha256(data)}.json`, data)];
    const faults = [`checkpoints/001.json: it does not hold commit 2 of ${STREAM}`];
    expect(await faultsOf({ commits, more, ...says(statementContent(large)) })).toEqual(faults);
    expect(await faultsOf({ commits, ...says(statementContent(large)) })).toContainEqual(
      `vex.json: commit 2 of ${STREAM} does not tell the statement on CVE-2021-44228`,
    );
  });
});
