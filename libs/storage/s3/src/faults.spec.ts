import { S3ServiceException } from '@aws-sdk/client-s3';
import { StoreFull, StoreMisconfigured, StoreUnavailable } from '@assurance/storage-ports';
import { portErrorOf, whyUnusable } from './faults';

/** An answer of the server. */
function answered(httpStatusCode: number, name: string): S3ServiceException {
  return new S3ServiceException({ name, $fault: 'client', $metadata: { httpStatusCode }, message: name });
}

function sentence(error: unknown): string {
  const why = whyUnusable(portErrorOf(error), 'evidence');
  expect(why).toBeInstanceOf(StoreMisconfigured);
  return (why as Error).message;
}

it.each([
  [503, 'SlowDown', StoreUnavailable, 'the object storage answers 503 (SlowDown)'],
  [429, 'TooManyRequests', StoreUnavailable, 'the object storage answers 429 (TooManyRequests)'],
  [403, 'AccessDenied', StoreUnavailable, 'the object storage refuses access (AccessDenied)'],
  [404, 'NoSuchBucket', StoreUnavailable, 'the object storage answers 404 (NoSuchBucket)'],
  [507, 'InsufficientStorage', StoreFull, 'the object storage has no room'],
  [403, 'QuotaExceeded', StoreFull, 'the object storage has no room'],
])('names an answer %i %s for what it means to the port', (status, name, type, message) => {
  const error = answered(status, name);
  expect(portErrorOf(error)).toBeInstanceOf(type);
  expect(portErrorOf(error)).toMatchObject({ message, cause: error });
});

it('leaves an answer that says that the request is wrong as it is', () => {
  const error = answered(400, 'MalformedXML');
  expect(portErrorOf(error)).toBe(error);
});

it('treats any error without an answer as no answer', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(portErrorOf(error)).toMatchObject({ name: 'StoreUnavailable', message: 'the object storage does not answer' });
  expect(whyUnusable(portErrorOf(error), 'evidence')).toBeInstanceOf(StoreUnavailable);
});

it('names the setting to change where a start is refused', () => {
  expect(sentence(Object.assign(new Error('self-signed'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }))).toBe(
    'The TLS connection to the object storage fails with SELF_SIGNED_CERT_IN_CHAIN: see ASSURANCE_BLOBS_ENDPOINT and ASSURANCE_BLOBS_CA.',
  );
  expect(sentence(Object.assign(new Error('none'), { name: 'CredentialsProviderError' }))).toMatch(
    /^There are no credentials for the object storage: set ASSURANCE_BLOBS_ACCESS_KEY_ID and /,
  );
  expect(sentence(answered(404, 'NoSuchBucket'))).toBe(
    'There is no bucket evidence: make it, or set ASSURANCE_BLOBS_BUCKET.',
  );
  expect(sentence(answered(301, 'PermanentRedirect'))).toBe(
    'The bucket evidence is in another region: set ASSURANCE_BLOBS_REGION.',
  );
  expect(sentence(answered(403, 'AccessDenied'))).toMatch(/^The object storage refuses access to the bucket evidence /);
});
