import { text } from 'node:stream/consumers';
import { type CollectionDefinition, type Documents, StoreMisconfigured } from '@assurance/storage-ports';
import type { Bucket } from './bucket';

const identities: CollectionDefinition<{ readonly installation: string }> = { name: 'blob_installation', indexes: [] };
/** The id of the one document of `identities`. */
const THE_IDENTITY = 'own';
/** The object that names the owner of the bucket, or of the part of the bucket with this prefix. */
const MARKER = 'installation';

/**
 * Makes sure that a bucket belongs to this installation, and marks a bucket without an owner. If two installations used
 * the same place, each would remove what the other stored, because their sweeps know only their own records.
 *
 * @param place the bucket with its prefix, for messages
 * @returns a check that asks the server until it has succeeded once; it throws the errors of the port, and
 *   StoreMisconfigured if the bucket belongs to another installation
 */
export function ownership(
  bucket: Bucket,
  documents: Documents,
  random: (bytes: number) => Uint8Array,
  place: string,
): () => Promise<void> {
  let currentCheck: Promise<void> | null = null;
  const check = async () => {
    const ownIdentity = await identityOf(documents, random);
    const marker = await bucket.get(MARKER);
    if (marker === null) return bucket.put(MARKER, ownIdentity);
    if ((await text(marker)) !== ownIdentity) {
      throw new StoreMisconfigured(
        `The bucket ${place} belongs to another installation: set ASSURANCE_BLOBS_BUCKET or ASSURANCE_BLOBS_PREFIX, or remove ` +
          `its object ${MARKER} if no other installation uses it.`,
      );
    }
  };
  return () => {
    currentCheck ??= check().catch((fault: unknown) => {
      currentCheck = null;
      throw fault;
    });
    return currentCheck;
  };
}

/** The identity of the installation. It is created once and stored, so all processes have the same one. */
async function identityOf(documents: Documents, random: (bytes: number) => Uint8Array): Promise<string> {
  const id = Buffer.from(random(16)).toString('hex');
  let own = id;
  await documents.collection(identities).merge([THE_IDENTITY], (current) => {
    own = current?.installation ?? id;
    return current === null ? { installation: id } : undefined;
  });
  return own;
}
