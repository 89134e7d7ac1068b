import type { DomainEvent } from '@assurance/contracts/events/event';
import { signedText, streamCheckpointHash } from '@assurance/event-sourcing/checkpoints/checkpoint';
import type { InclusionProof } from '@assurance/event-sourcing/checkpoints/covering';
import { signerOf } from '@assurance/event-sourcing/checkpoints/keys';
import { commitHash, seal } from '@assurance/event-sourcing/sealing/seal';
import { canonicalJson, sha256 } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import type { Chain, Heading } from '../manifest';
import { type Contents, type PackageFile, textFile } from '../write';

export const SIGNER = signerOf('a secret of a test');
export const AT = 1_700_000_000_123;
const STREAM = 'trail/f/build-1';

export const HEADING: Heading = {
  what: { kind: 'trail', organization: 'acme', flow: 'shop', trail: 'build-1' },
  at: AT,
  by: { id: 'u', name: 'ada' },
  service: { url: 'http://localhost:1', region: null },
  dropped: [],
};

const REPORT = 'a report of a scan';

/**
 * A stream with one event in each commit. The last commit is at `AT`. @param request the correlation of all commits; each has its own unless given
 */
export async function streamOf(stream: string, events: readonly DomainEvent[], request?: string): Promise<Commit[]> {
  const created: Commit[] = [];
  for (const [i, event] of events.entries()) {
    const correlation = request ?? `c${i}`;
    const draft = { id: `c${i}`, org: 'o', stream, at: AT + 1 - events.length + i, actor: 'u', correlation };
    created.push(
      await seal({ putData: (_org, text) => Promise.resolve(sha256(text)) }, draft, created.at(-1) ?? null, [event]),
    );
  }
  return created;
}

/** A trail of three commits. The second one has an attachment. */
function commits(): Promise<Commit[]> {
  const attachments = [{ filename: 'scan.txt', sha256: sha256(REPORT), size: REPORT.length }];
  const types = ['TrailBegun', 'AttestationReported', 'TrailUpdated'];
  return streamOf(
    STREAM,
    types.map((type, i) => ({ type, version: 1, data: { i, attachments } })),
  );
}

/** A checkpoint of one stream. */
export function checkpointOf(commit: Commit): InclusionProof {
  const coveredPosition = { stream: commit.stream, seq: commit.seq, hash: commitHash(commit) };
  const root = streamCheckpointHash(coveredPosition);
  const checkpoint = { number: 1, at: AT, previous: null, streams: 1, root, key: SIGNER.key };
  return { checkpoint, signature: SIGNER.sign(signedText(checkpoint)), reached: coveredPosition, path: [] };
}

/** Contents of a small complete package. */
export async function contents(files: readonly PackageFile[] = []): Promise<Contents> {
  const created = await commits();
  const last = created.at(-1) as Commit;
  async function* all(): AsyncGenerator<PackageFile, readonly Chain[]> {
    yield textFile('trail.json', '{}\n');
    yield textFile('attestations/0001-scan/files/01-scan.txt', REPORT);
    yield* files;
    const lines = created.map((commit) => `${canonicalJson(commit)}\n`);
    yield textFile('events/01/000001.jsonl', lines.slice(0, 2).join(''));
    yield textFile('events/01/000003.jsonl', lines.slice(2).join(''));
    yield textFile('checkpoints/01.json', JSON.stringify(checkpointOf(last)));
    const chain = { stream: STREAM, from: 1, to: last.seq, head: commitHash(last) };
    return [
      { ...chain, files: ['events/01/000001.jsonl', 'events/01/000003.jsonl'], checkpoint: 'checkpoints/01.json' },
    ];
  }
  return { heading: HEADING, files: all(), signers: [SIGNER] };
}
