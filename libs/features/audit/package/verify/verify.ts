import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { sha256 } from '@assurance/kernel';
import { entriesOf } from '@assurance/kernel/tar/read';
import {
  type Chain,
  DIGESTS,
  digestsText,
  ENVELOPE,
  FORMAT,
  type ListedFile,
  MANIFEST,
  type Manifest,
  type PackagedSbom,
  type PackagedVex,
} from '../manifest';
import { openEnvelope } from '../statement';
import { checkChain } from './chains';
import { Entries } from './entries';
import type { Finding, Report } from './finding';
import { checkSboms } from './sboms';
import { VEX } from '../contents';
import { checkShown } from './shown-files';
import { checkVex } from './vex';

/** The most findings that are stored. More findings would not help. */
const FINDINGS_MAX = 1_000;

/** The result of checking a package. */
export interface VerificationResult {
  /** The findings in order; empty if the package matches its signature. */
  readonly findings: readonly Finding[];
  /** Null if it could not be read. */
  readonly manifest: Manifest | null;
  /** The key that signed it: 32 bytes in base64url; null if there is no valid signature, or none of a trusted key. */
  readonly key: string | null;
  /** Keys that signed its checkpoints. */
  readonly checkpointKeys: readonly string[];
}

/**
 * Checks a package of any size while it is read. It checks that every file matches the manifest, that the manifest is the signed one, that commits
 * follow each other, that checkpoints contain the last commits, and that the files about policies and the flow match the commits.
 *
 * @param bytes the downloaded package
 * @param trustedKeys public keys, each as 32 bytes in base64url. One of them must have signed it; null: the signer is only reported
 */
export async function verifyPackage(
  bytes: Readable,
  trustedKeys: readonly string[] | null,
): Promise<VerificationResult> {
  const findings: Finding[] = [];
  const report: Report = (path, fault) => {
    if (findings.length < FINDINGS_MAX) findings.push({ path, fault });
  };
  const entries = new Entries(report);
  await read(bytes, entries, report);
  const manifest = manifestIn(entries, report);
  const key = signerOf(entries, trustedKeys, report);
  if (manifest !== null) checkFiles(manifest, entries, report);
  const checkpointKeys = [...entries.texts]
    .filter(([path]) => path.startsWith('checkpoints/'))
    .flatMap(([, text]) => keyOf(text));
  return { findings, manifest, key, checkpointKeys: [...new Set(checkpointKeys)] };
}

async function read(bytes: Readable, entries: Entries, report: Report): Promise<void> {
  // The last stream of the pipeline reports the errors of all its streams.
  const archive = pipeline(bytes, createGunzip(), () => undefined);
  try {
    for await (const { path, type, content } of entriesOf(archive)) {
      if (type !== 'file') report(path, `it is no file but a ${type}`);
      await entries.take(path, content);
    }
  } catch (fault) {
    report(null, `it is no whole package: ${(fault as Error).message}`);
  }
}

function manifestIn({ texts }: Entries, report: Report): Manifest | null {
  const text = texts.get(MANIFEST);
  if (text === undefined) {
    report(MANIFEST, 'it is missing');
    return null;
  }
  try {
    const manifest = JSON.parse(text) as Partial<Manifest> | null;
    if (manifest?.format === FORMAT && isListed(manifest)) return manifest as Manifest;
  } catch {
    // Reported below.
  }
  report(MANIFEST, `it is no manifest of the format ${FORMAT}`);
  return null;
}

/** Whether the lists of a manifest have the form that this service writes. Others may have written the manifest. */
function isListed({ files, chains, dropped, silent, sboms, vex }: Partial<Manifest>): boolean {
  const isText = (value: unknown) => typeof value === 'string';
  return (
    Array.isArray(files) &&
    files.every((file: Partial<ListedFile> | null) => isText(file?.path)) &&
    Array.isArray(chains) &&
    chains.every((chain: Partial<Chain> | null) => Array.isArray(chain?.files) && chain.files.every(isText)) &&
    (dropped === undefined || Array.isArray(dropped)) &&
    (silent === undefined || Array.isArray(silent)) &&
    (vex === undefined || isText((vex as Partial<PackagedVex> | null)?.document)) &&
    (sboms === undefined ||
      (Array.isArray(sboms) && sboms.every((sbom: Partial<PackagedSbom> | null) => isText(sbom?.name))))
  );
}

function signerOf({ texts }: Entries, trustedKeys: readonly string[] | null, report: Report): string | null {
  const text = texts.get(ENVELOPE);
  if (text === undefined) {
    report(ENVELOPE, 'it is missing');
    return null;
  }
  const envelope = openEnvelope(text);
  if (envelope === null || envelope.keys.length === 0) {
    report(ENVELOPE, 'its signature does not hold');
    return null;
  }
  const key = envelope.keys.find((candidate) => trustedKeys?.includes(candidate) !== false) ?? null;
  if (key === null) report(ENVELOPE, `it is signed with ${envelope.keys.join(', ')}, which is none of the given keys`);
  const statedDigest = envelope.statement.subject?.find(({ name }) => name === MANIFEST)?.digest.sha256;
  const manifest = texts.get(MANIFEST);
  if (manifest !== undefined && statedDigest !== sha256(manifest))
    report(MANIFEST, 'it is not the manifest that was signed');
  return key;
}

function checkFiles(manifest: Manifest, entries: Entries, report: Report): void {
  const { files, texts, ranges, attachments, claims } = entries;
  const last = [MANIFEST, ENVELOPE, DIGESTS];
  const listedFiles = new Map(manifest.files.map((file) => [file.path, file]));
  for (const [path, { size, sha256: digest }] of listedFiles) {
    const file = files.get(path);
    if (file === undefined) report(path, 'it is missing');
    else if (file.size !== size || file.sha256 !== digest) report(path, 'it was changed: its digest is another');
  }
  for (const path of files.keys())
    if (!listedFiles.has(path) && !last.includes(path)) report(path, 'the manifest does not know it');
  const ends = [MANIFEST, ENVELOPE].flatMap((path) => files.get(path) ?? []);
  const digests = texts.get(DIGESTS);
  if (digests === undefined) report(DIGESTS, 'it is missing');
  else if (digests !== digestsText([...manifest.files, ...ends]))
    report(DIGESTS, 'it was changed: it does not say what the manifest says');
  for (const chain of manifest.chains) checkChain(chain, { ranges, checkpoints: texts }, report);
  const chained = new Set(manifest.chains.flatMap((chain) => chain.files));
  for (const path of ranges.keys()) if (!chained.has(path)) report(path, 'its commits are of no chain');
  checkShown(manifest, entries, report);
  checkSboms(manifest, entries.sboms, report);
  checkVex(manifest, texts.get(VEX), entries.vex, report);
  const there = new Set([...files.values()].map((file: ListedFile) => file.sha256));
  for (const [digest, places] of attachments)
    if (!there.has(digest) && !places.every((place) => claims.isDropped('attachments', place)))
      report(null, `an attachment that was recorded is missing: ${digest}`);
}

function keyOf(text: string): string[] {
  try {
    return [(JSON.parse(text) as { checkpoint: { key: string } }).checkpoint.key];
  } catch {
    return [];
  }
}
