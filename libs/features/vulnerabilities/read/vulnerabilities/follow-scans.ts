import type { EventMeta } from '@assurance/contracts/events/event';
import type { AttestationReported, FindingsListed } from '@assurance/contracts/evidence/events';
import { BATCH, batches, putRows } from '@assurance/event-sourcing/projection/batches';
import { newestAttestationId, subjectOf } from '@assurance/flows/domain/attestation';
import { canonicalJson, groupBy, sha256, type Slices } from '@assurance/kernel';
import { type Documents, findPages } from '@assurance/storage-ports';
import {
  type FindingName,
  findingNames,
  type FindingPart,
  findingParts,
  type FindingUse,
  findingUses,
  nameDigest,
  rowId,
  scanKey,
  type ScanRow,
  scanRows,
} from './rows';

/** The rows that scanner reports change, by document id. */
export interface ScanChanges {
  readonly scans: Map<string, ScanRow>;
  readonly uses: Map<string, FindingUse>;
  readonly parts: Map<string, FindingPart>;
  readonly findingNames: Map<string, FindingName>;
}

/** Collects an attestation. An override does not change the findings of a scanner, so earlier findings stay. */
export function collectScan(
  { scans }: ScanChanges,
  { data }: AttestationReported,
  { org, stream, seq, at }: EventMeta,
): void {
  const { id, name, type, target, previous, findings } = data;
  if (target.kind === 'trail' || type === 'override' || (findings === undefined && previous === null)) return;
  const subject = subjectOf(target);
  const key = newestAttestationId(stream, subject, name);
  if ((scans.get(key)?.seq ?? 0) >= seq) return;
  scans.set(key, {
    org,
    scan: scanKey({ stream, seq }),
    seq,
    at,
    id,
    name,
    type,
    subject,
    fingerprint: target.kind === 'artifact' ? target.fingerprint : null,
    ...(findings ?? { tool: '', listed: 0, left: 0 }),
  });
}

/** Collects a part of the findings of an attestation. */
export async function collectFindings(
  { uses, parts, findingNames: names }: ScanChanges,
  { data: { findings } }: FindingsListed,
  { org, stream, seq }: EventMeta,
  slices: Slices,
): Promise<void> {
  const [part, scan] = [sha256(canonicalJson(findings)), scanKey({ stream, seq })];
  uses.set(`${scan}/${part}`, { org, scan, part });
  if (parts.has(rowId(org, part))) return;
  parts.set(rowId(org, part), { org, findings });
  for (const { id, aliases, related = [] } of findings) {
    await slices.pause();
    for (const name of [id, ...aliases, ...related].map(nameDigest))
      names.set(rowId(org, name, part), { org, name, part });
  }
}

/** Writes the newest version of each attestation, and forgets the finding parts of older versions. */
export async function writeScans(documents: Documents, changes: ScanChanges): Promise<void> {
  await putRows(documents.collection(findingParts), changes.parts);
  await putRows(documents.collection(findingNames), changes.findingNames);
  await putRows(documents.collection(findingUses), changes.uses);
  const olderScans = new Map<string, string>();
  for (const ids of batches([...changes.scans.keys()])) {
    await documents.collection(scanRows).merge(ids, (current, id) => {
      const row = changes.scans.get(id);
      if (row === undefined || (current !== null && current.seq >= row.seq)) return undefined;
      if (current !== null) olderScans.set(current.scan, current.org);
      return row;
    });
  }
  const uses = documents.collection(findingUses);
  for (const [org, own] of groupBy([...olderScans], ([, one]) => one)) {
    for (const group of batches(own.map(([scan]) => scan))) {
      const forgotten: string[] = [];
      for await (const page of findPages(uses, { where: { org, scan: { in: group } } }, BATCH)) {
        forgotten.push(...page.map(({ id }) => id));
      }
      for (const ids of batches(forgotten)) await uses.write(ids.map((id) => ({ kind: 'forget', id })));
    }
  }
}
