import type { Engines } from '@assurance/storage-ports';
import type { S3Options } from '@assurance/storage-s3';
import type { BlobStorage } from './bucket-settings';
import { twoStores } from './two-stores';

/**
 * Engines whose attachments lie in a bucket, or lay there before.
 *
 * @param blobs null: the engines as they are
 * @throws StoreMisconfigured when the bucket cannot be used; the engines are closed then
 */
export async function withBucket<T extends Engines>(
  engines: T,
  blobs: BlobStorage | null,
  { now, random, onFault }: Pick<S3Options, 'now' | 'random' | 'onFault'>,
): Promise<T> {
  if (blobs === null) return engines;
  try {
    // Only here: the client takes memory and time that a service without a bucket need not spend.
    const { openS3 } = await import('@assurance/storage-s3');
    const s3 = await openS3({ ...blobs.s3, documents: engines.documents, now, random, onFault });
    const both = blobs.puts === 's3' ? twoStores(s3, engines.blobs) : twoStores(engines.blobs, s3);
    const close = () => {
      s3.close();
      return engines.close();
    };
    return { ...engines, blobs: both, close };
  } catch (fault) {
    await engines.close();
    throw fault;
  }
}
