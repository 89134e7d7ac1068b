import { S3ServiceException } from '@aws-sdk/client-s3';
import { StoreFull, StoreMisconfigured, StoreUnavailable, tlsCodeOf } from '@assurance/storage-ports';

const MISSING = ['NoSuchKey', 'NoSuchUpload', 'NotFound'];
const FULL = ['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull'];

/** Whether the object, or the multipart upload, does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && MISSING.includes(error.name);
}

/** Returns the port's named error for an error of the SDK. If the server answers that the request is wrong, the error is unchanged. */
export function portErrorOf(error: unknown): unknown {
  const unavailable = (why: string) => new StoreUnavailable(`the object storage ${why}`, { cause: error });
  if (!(error instanceof S3ServiceException)) return unavailable('does not answer');
  const { httpStatusCode: status = 0 } = error.$metadata;
  if (status === 507 || FULL.includes(error.name)) {
    return new StoreFull('the object storage has no room', { cause: error });
  }
  if ([401, 403].includes(status)) return unavailable(`refuses access (${error.name})`);
  const passing = error.name === 'NoSuchBucket' || status >= 500 || [0, 301, 307, 408, 429].includes(status);
  return passing ? unavailable(`answers ${status} (${error.name})`) : error;
}

/**
 * The reason why the service cannot use the bucket at its start. If a setting is wrong, a sentence names the setting to change.
 *
 * @param error an error that `portErrorOf` returned
 */
export function whyUnusable(error: unknown, bucket: string): unknown {
  if (!(error instanceof StoreUnavailable)) return error;
  const { cause } = error;
  const misconfigured = (sentence: string) => new StoreMisconfigured(sentence, { cause });
  const tls = tlsCodeOf(cause);
  if (tls !== null) {
    return misconfigured(
      `The TLS connection to the object storage fails with ${tls}: see ASSURANCE_BLOBS_ENDPOINT and ASSURANCE_BLOBS_CA.`,
    );
  }
  if ((cause as Error).name === 'CredentialsProviderError') {
    return misconfigured(
      'There are no credentials for the object storage: set ASSURANCE_BLOBS_ACCESS_KEY_ID and ASSURANCE_BLOBS_SECRET_ACCESS_KEY, ' +
        'or what the AWS SDK reads.',
    );
  }
  if (!(cause instanceof S3ServiceException)) return error;
  const { httpStatusCode: status = 0 } = cause.$metadata;
  if (cause.name === 'NoSuchBucket')
    return misconfigured(`There is no bucket ${bucket}: make it, or set ASSURANCE_BLOBS_BUCKET.`);
  if ([401, 403].includes(status)) {
    return misconfigured(
      `The object storage refuses access to the bucket ${bucket} (${cause.name}): see ASSURANCE_BLOBS_ACCESS_KEY_ID, ` +
        'ASSURANCE_BLOBS_SECRET_ACCESS_KEY and the rights of that key.',
    );
  }
  if ([301, 307].includes(status))
    return misconfigured(`The bucket ${bucket} is in another region: set ASSURANCE_BLOBS_REGION.`);
  return error;
}
