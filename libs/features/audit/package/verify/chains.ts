import { signedText, streamCheckpointHash } from '@assurance/event-sourcing/checkpoints/checkpoint';
import type { InclusionProof } from '@assurance/event-sourcing/checkpoints/covering';
import { signedBy } from '@assurance/event-sourcing/checkpoints/keys';
import { rootBy } from '@assurance/event-sourcing/checkpoints/merkle';
import { linkFault } from '@assurance/event-sourcing/sealing/chain';
import type { Chain } from '../manifest';
import type { CommitRange } from './commits';
import type { Report } from './finding';

/** The parts of a package that the check of chains reads. */
export interface PackageChains {
  /** The commits of each file, by path. */
  readonly ranges: ReadonlyMap<string, CommitRange>;
  /** Texts of checkpoints, by path. */
  readonly checkpoints: ReadonlyMap<string, string>;
}

/** Compares a chain with the commits and the checkpoint that were read. */
export function checkChain(chain: Chain, { ranges, checkpoints }: PackageChains, report: Report): void {
  let before: CommitRange | null = null;
  for (const path of chain.files) {
    const range = ranges.get(path);
    // Another check reports missing files.
    if (range === undefined) return;
    const fault = faultOfPlace(chain, range, before);
    if (fault !== null) report(path, fault);
    before = range;
  }
  if (before?.last.seq !== chain.to || before.last.hash !== chain.head) {
    report(
      chain.files.at(-1) ?? null,
      `it does not end with commit ${chain.to} of ${chain.stream} as the manifest says`,
    );
    return;
  }
  if (chain.checkpoint === null) return;
  const text = checkpoints.get(chain.checkpoint);
  const fault = text === undefined ? null : faultOfCheckpoint(text, chain);
  if (fault !== null) report(chain.checkpoint, fault);
}

function faultOfPlace({ stream, from }: Chain, range: CommitRange, before: CommitRange | null): string | null {
  if (range.stream !== stream) return `it holds commits of ${range.stream}, not of ${stream}`;
  const { seq } = range.first;
  if (before === null) return seq === from ? null : `it begins with commit ${seq}, not with ${from}`;
  if (seq !== before.last.seq + 1) return `it begins with commit ${seq}, not with ${before.last.seq + 1}`;
  return linkFault(range.first, before.last);
}

/** The fault of a checkpoint for a chain; null if it contains the chain's last commit. */
function faultOfCheckpoint(text: string, { stream, to, head }: Chain): string | null {
  try {
    const { checkpoint, signature, reached, path } = JSON.parse(text) as InclusionProof;
    if (!signedBy(checkpoint.key, signedText(checkpoint), signature)) return 'its signature is not that of its key';
    if (rootBy(streamCheckpointHash(reached), path) !== checkpoint.root) return 'its way does not lead to its root';
    const isOfChain = reached.stream === stream && reached.seq === to && reached.hash === head;
    return isOfChain ? null : `it does not hold commit ${to} of ${stream}`;
  } catch {
    return 'it is no checkpoint';
  }
}
