import { createHash } from 'node:crypto';
import { pemOf, type Signer } from '@assurance/event-sourcing/checkpoints/keys';
import { byteLength, sha256 } from '@assurance/kernel';
import { type TarFile, tarOf } from '@assurance/kernel/tar/write';
import {
  type Chain,
  DIGESTS,
  digestsText,
  ENVELOPE,
  type Heading,
  jsonText,
  type ListedFile,
  MANIFEST,
  manifestOf,
  type PackagedSbom,
  type PackagedVex,
  type SilentAttestation,
} from './manifest';
import { PATH_MAX } from './names';
import { README } from './readme';
import { signStatement, statementOf } from './statement';

/** A file that goes into a package. */
export interface PackageFile extends TarFile {
  /** The digest, if it is known before the content is read. The content must match it. */
  readonly sha256?: string;
}

/** The content of a file does not match its record, so there is no package. */
class BrokenContent extends Error {
  override readonly name = 'BrokenContent';
}

/** The content of a package. */
export interface Contents {
  readonly heading: Heading;
  /** The files. Each is read to its end before the next one is requested. Returns the chains of the commits in them. */
  readonly files: AsyncGenerator<PackageFile, readonly Chain[]>;
  /** Attestations without a result. The list is complete after the files were read. */
  readonly silent?: readonly SilentAttestation[];
  /** Bills of materials. The list is complete after the files were read. */
  readonly sboms?: readonly PackagedSbom[];
  readonly vex?: PackagedVex | null;
  /** The present key is first, and signs. */
  readonly signers: readonly [Signer, ...Signer[]];
}

/**
 * Writes a package as a tar archive, in pieces. The manifest and its signature come after the files, so no file is read twice and an interrupted
 * package is never signed. The same contents and keys give the same bytes.
 *
 * @throws BrokenContent
 */
export function writePackage(contents: Contents): AsyncGenerator<Uint8Array> {
  return tarOf(packageFilesOf(contents), contents.heading.at);
}

async function* packageFilesOf({ heading, files, silent, sboms, vex, signers }: Contents): AsyncGenerator<TarFile> {
  const listedFiles: ListedFile[] = [];
  const keys = signers.map(({ key }) => pemOf(key)).join('');
  for (const file of [textFile('README.txt', README), textFile('public-keys.pem', keys)])
    yield withListing(file, listedFiles);
  let chains: readonly Chain[] | null = null;
  try {
    while (chains === null) {
      const next = await files.next();
      if (next.done === true) chains = next.value;
      else yield withListing(next.value, listedFiles);
    }
  } finally {
    if (chains === null) await files.return([]);
  }
  const manifest = manifestOf(heading, chains, listedFiles, silent, sboms, vex);
  const text = jsonText(manifest);
  const envelope = jsonText(signStatement(statementOf(manifest, text), signers[0]));
  yield textFile(MANIFEST, text);
  yield textFile(ENVELOPE, envelope);
  yield textFile(
    DIGESTS,
    digestsText([
      ...listedFiles,
      { path: MANIFEST, sha256: sha256(text) },
      { path: ENVELOPE, sha256: sha256(envelope) },
    ]),
  );
}

/** A file with a text as its content. */
export function textFile(path: string, text: string): PackageFile {
  return { path, size: byteLength(text), content: [Buffer.from(text)] };
}

/** The same file. It is added to the list after it was read. */
function withListing(file: PackageFile, listed: ListedFile[]): TarFile {
  const { path, size } = file;
  if (path.length > PATH_MAX) throw new BrokenContent(`the path ${path} is longer than ${PATH_MAX} characters`);
  return { path, size, content: whileListing(file, listed) };
}

async function* whileListing({ path, size, sha256: expectedSha256, content }: PackageFile, listedFiles: ListedFile[]) {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of content) {
    hash.update(piece);
    bytes += piece.length;
    yield piece;
  }
  const digest = hash.digest('hex');
  if (bytes !== size) throw new BrokenContent(`${path} has ${bytes} bytes, not ${size}`);
  if (expectedSha256 !== undefined && expectedSha256 !== digest)
    throw new BrokenContent(`${path} has the digest ${digest}, not ${expectedSha256}`);
  listedFiles.push({ path, size, sha256: digest });
}
