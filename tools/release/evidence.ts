import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../common/command.ts';
const SUMS = 'SHA256SUMS';
const SIGNATURE = 'SHA256SUMS.sig';
export const PUBLIC_KEY = 'release.pub';
const PAYLOAD = 'application/vnd.in-toto+json';

/** Files of a release by name. */
export type Files = ReadonlyMap<string, Buffer>;

/** What a release was made of. */
export interface Origin {
  readonly version: string;
  readonly commit: string;
  /** SHA-256 of `package-lock.json`. */
  readonly lock: string;
  /** Who built it: the workflow, or a developer's machine. */
  readonly builder: string;
}

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** The names of CycloneDX and in-toto documents of a release. */
export const sbomName = (version: string): string => `deployment-assurance-${version}.cdx.json`;
export const provenanceName = (version: string): string => `deployment-assurance-${version}.intoto.json`;

/** What the bill of materials is about: the service, with the archives that have it. */
export function subjectOf(version: string, archives: Files) {
  const digests = [...archives].map(([name, bytes]) => ({
    name,
    hashes: [{ alg: 'SHA-256', content: sha256(bytes) }],
  }));
  return {
    type: 'application',
    name: 'deployment-assurance',
    version,
    licenses: [{ license: { id: 'Apache-2.0' } }],
    hashes: digests[0]?.hashes ?? [],
    externalReferences: digests.map(({ name, hashes }) => ({ type: 'distribution', url: name, hashes })),
  };
}

/**
 * The bill of materials (CycloneDX) of an unpacked release, and of the packages in its pages. The same files give the same bytes.
 *
 * @param subject see `subjectOf`
 */
export function sbomOf(folder: string, pages: readonly string[], subject: ReturnType<typeof subjectOf>): Buffer {
  const listed = must('npm', ['sbom', '--sbom-format', 'cyclonedx'], { cwd: folder });
  const { serialNumber: _, metadata, ...bom } = JSON.parse(listed) as Bom;
  const components = pages.map((id) => {
    const at = id.lastIndexOf('@');
    const [name, version] = [id.slice(0, at), id.slice(at + 1)];
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return { type: 'library', name, version, purl, 'bom-ref': `pages|${id}`, scope: 'required' };
  });
  return json({
    ...bom,
    metadata: {
      ...metadata,
      timestamp: undefined,
      component: { 'bom-ref': metadata.component['bom-ref'], ...subject },
    },
    components: [...bom.components, ...components],
  });
}

/** What npm lists, as far as it is changed here. */
interface Bom {
  readonly serialNumber: string;
  readonly metadata: { readonly timestamp: string; readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly object[];
}

/** The signed provenance of these files: an in-toto statement (SLSA 1.0) in a DSSE envelope. */
export function provenanceOf(files: Files, { version, commit, lock, builder }: Origin, key: KeyObject): Buffer {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...files].map(([name, bytes]) => ({ name, digest: { sha256: sha256(bytes) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:deployment-assurance:release:v1',
        externalParameters: { version },
        internalParameters: { node: process.version, platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lock } },
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  };
  const payload = JSON.stringify(statement);
  const signature = sign(null, preAuthentication(payload), key).toString('base64');
  return json({
    payloadType: PAYLOAD,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: sha256(pemOf(key)), sig: signature }],
  });
}

/** What DSSE signs. */
const preAuthentication = (payload: string) =>
  Buffer.from(`DSSEv1 ${PAYLOAD.length} ${PAYLOAD} ${Buffer.byteLength(payload)} ${payload}`);

export const pemOf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();

/** Adds the public key, the checksums of all files and their signature. */
export function signed(files: Files, key: KeyObject): Map<string, Buffer> {
  const all = new Map(
    [...files, [PUBLIC_KEY, Buffer.from(pemOf(key))] as const].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  const sums = Buffer.from([...all].map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`).join(''));
  return all.set(SUMS, sums).set(SIGNATURE, sign(null, sums, key));
}

/**
 * Checks a folder with a release.
 *
 * @param trusted the public key (PEM) that must have signed it; null: the one in the folder
 * @returns one sentence for each fault
 */
export function faultsOf(folder: string, trusted: string | null): string[] {
  const read = (name: string) => readFileSync(join(folder, name));
  const place = formFault(folder, 'folder');
  if (place !== null) return [place];
  const formFaults = (names: Iterable<string>) =>
    [...names].flatMap((name) => formFault(join(folder, name), 'file', name) ?? []);
  const lacking = formFaults([SUMS, SIGNATURE, PUBLIC_KEY]);
  if (lacking.length > 0) return lacking;
  const sums = read(SUMS);
  let key: KeyObject;
  try {
    key = createPublicKey(trusted ?? read(PUBLIC_KEY));
  } catch {
    return ['the public key is no key'];
  }
  // Nothing that is not signed is read further.
  if (!verify(null, sums, key, read(SIGNATURE))) return [`${SUMS} is not signed by this key`];
  const listed = new Map(
    sums
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)] as const),
  );
  const expected = new Set([...listed.keys(), SUMS, SIGNATURE]);
  const faults = readdirSync(folder)
    .filter((name) => !expected.has(name))
    .map((name) => `${name} is not of the release`);
  for (const [name, digest] of listed) {
    const fault = formFaults([name]);
    faults.push(...fault);
    if (fault.length === 0 && sha256(read(name)) !== digest) faults.push(`${name} has another SHA-256`);
  }
  return faults.length > 0 ? faults : evidenceFaults(listed, read, key);
}

/** Why a path is not what it has to be; null if it is. A link may lead anywhere, and elsewhere tomorrow. @param name for the sentence */
export function formFault(path: string, form: 'file' | 'folder', name = path): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return `${name} is missing`;
  if (form === 'folder') return stats.isDirectory() ? null : `${name} is no folder`;
  if (stats.isSymbolicLink()) return `${name} is a link`;
  if (stats.isDirectory()) return `${name} is a folder`;
  return stats.isFile() ? null : `${name} is no file`;
}

/** Which release the provenance in a checked folder names, and of which commit. */
export function originIn(folder: string): Pick<Origin, 'version' | 'commit'> {
  const name = readdirSync(folder).find((file) => file.endsWith('.intoto.json')) ?? '';
  const { payload } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { payload: string };
  const statement = JSON.parse(Buffer.from(payload, 'base64').toString()) as {
    predicate: {
      buildDefinition: {
        externalParameters: { version: string };
        resolvedDependencies: { digest: { gitCommit?: string } }[];
      };
    };
  };
  const { externalParameters, resolvedDependencies } = statement.predicate.buildDefinition;
  const commit = resolvedDependencies.find(({ digest }) => digest.gitCommit !== undefined)?.digest.gitCommit;
  return { version: externalParameters.version, commit: commit ?? '' };
}

function evidenceFaults(listed: ReadonlyMap<string, string>, read: (name: string) => Buffer, key: KeyObject): string[] {
  const named = (end: string) => [...listed.keys()].find((name) => name.endsWith(end)) ?? '';
  const provenance = named('.intoto.json');
  const sbom = named('.cdx.json');
  if (provenance === '' || sbom === '') return ['the provenance or the SBOM is missing'];
  const envelope = JSON.parse(read(provenance).toString()) as { payload: string; signatures: { sig: string }[] };
  const payload = Buffer.from(envelope.payload, 'base64').toString();
  const signature = Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64');
  if (!verify(null, preAuthentication(payload), key, signature)) return [`${provenance} is not signed by this key`];
  const { subject } = JSON.parse(payload) as { subject: { name: string; digest: { sha256: string } }[] };
  const subjects = new Map(subject.map(({ name, digest }) => [name, digest.sha256]));
  const faults = [...listed]
    .filter(([name, digest]) => ![provenance, PUBLIC_KEY].includes(name) && subjects.get(name) !== digest)
    .map(([name]) => `${provenance} does not name ${name}`);
  const { bomFormat, components = [], metadata } = JSON.parse(read(sbom).toString()) as Partial<Sbom>;
  if (bomFormat !== 'CycloneDX' || components.length === 0) return [...faults, `${sbom} lists nothing`];
  const { name, licenses = [], externalReferences = [] } = metadata?.component ?? {};
  const isNamed = name === 'deployment-assurance' && licenses.length > 0 && externalReferences.length > 0;
  const right = externalReferences.every(({ url, hashes: [hash] }) => listed.get(url) === hash?.content);
  return isNamed && right ? faults : [...faults, `${sbom} is about something else than this release`];
}

/** A bill of materials, as far as it is checked. */
interface Sbom {
  readonly bomFormat: string;
  readonly components: readonly object[];
  readonly metadata: { readonly component?: Partial<ReturnType<typeof subjectOf>> };
}

const json = (value: object) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
