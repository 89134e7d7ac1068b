import { X509Certificate } from 'node:crypto';
import { no, ok, type Result } from '@assurance/kernel';
import type { S3Settings } from '@assurance/storage-s3';
import { hiddenText, loneSetting, matching, oneOf, pem, text, type ValuesOf, type Variable } from '../variables';

const PREFIX = /^[A-Za-z0-9!_.*'()/-]{1,200}$/;

/** Ends with a slash. */
const prefix: Variable<string> = {
  fallback: '',
  read: (given) =>
    PREFIX.test(given)
      ? ok(given.endsWith('/') ? given : `${given}/`)
      : no("must have letters, digits and ! _ . * ' ( ) / - alone, at most 200"),
};

const bucket = matching(
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  'must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens',
);

const endpoint: Variable<string | null> = {
  fallback: null,
  read: (given) => {
    const url = URL.canParse(given) ? new URL(given) : null;
    return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.search === ''
      ? ok(given)
      : no('must be an http or https URL, without user, password and query');
  },
};

/** The settings of a bucket for attachments. Those that hold PEM or a secret may be files (`…_FILE`). */
export const BUCKET_VARIABLES = {
  ASSURANCE_BLOBS_STORE: oneOf(['own', 's3'], 'own'),
  ASSURANCE_BLOBS_BUCKET: bucket,
  ASSURANCE_BLOBS_PREFIX: prefix,
  ASSURANCE_BLOBS_ENDPOINT: endpoint,
  ASSURANCE_BLOBS_REGION: text(null),
  ASSURANCE_BLOBS_PATH_STYLE: oneOf(['off', 'on'], 'off'),
  ASSURANCE_BLOBS_CA: pem('a certificate', (given) => new X509Certificate(given)),
  ASSURANCE_BLOBS_ACCESS_KEY_ID: hiddenText,
  ASSURANCE_BLOBS_SECRET_ACCESS_KEY: hiddenText,
  ASSURANCE_BLOBS_ENCRYPTION: oneOf(['bucket', 'AES256', 'aws:kms'], 'bucket'),
  ASSURANCE_BLOBS_KMS_KEY: text(null),
} as const;

type Name = keyof typeof BUCKET_VARIABLES;
type Given = ValuesOf<typeof BUCKET_VARIABLES>;

/** A bucket for attachments. */
export interface BlobStorage {
  /** Where new attachments go; the other store is still read. */
  readonly puts: 'own' | 's3';
  readonly s3: S3Settings;
}

/** @returns null where no bucket is named; a refusal names the setting that is missing, or that has no effect as things are */
export function blobStorage(given: Given): Result<BlobStorage | null, string> {
  const { ASSURANCE_BLOBS_BUCKET: name, ASSURANCE_BLOBS_STORE: puts } = given;
  if (name === null) {
    if (puts === 's3') return no('ASSURANCE_BLOBS_STORE is s3, which needs ASSURANCE_BLOBS_BUCKET.');
    const useless = (Object.keys(BUCKET_VARIABLES) as Name[]).find(
      (each) => given[each] !== BUCKET_VARIABLES[each].fallback,
    );
    return useless === undefined ? ok(null) : no(`${useless} is set, but ASSURANCE_BLOBS_BUCKET is not.`);
  }
  const { ASSURANCE_BLOBS_ACCESS_KEY_ID: id, ASSURANCE_BLOBS_SECRET_ACCESS_KEY: key } = given;
  const lone = loneSetting(given, 'ASSURANCE_BLOBS_ACCESS_KEY_ID', 'ASSURANCE_BLOBS_SECRET_ACCESS_KEY');
  if (lone !== null) return no(lone);
  const { ASSURANCE_BLOBS_ENCRYPTION: encryption, ASSURANCE_BLOBS_KMS_KEY: kmsKey } = given;
  if (kmsKey !== null && encryption !== 'aws:kms') {
    return no('ASSURANCE_BLOBS_KMS_KEY is set, which needs ASSURANCE_BLOBS_ENCRYPTION=aws:kms.');
  }
  return ok({
    puts,
    s3: {
      bucket: name,
      prefix: given.ASSURANCE_BLOBS_PREFIX,
      endpoint: given.ASSURANCE_BLOBS_ENDPOINT,
      region: given.ASSURANCE_BLOBS_REGION,
      pathStyle: given.ASSURANCE_BLOBS_PATH_STYLE === 'on',
      ca: given.ASSURANCE_BLOBS_CA,
      credentials: id === null || key === null ? null : { accessKeyId: id, secretAccessKey: key },
      encryption: encryption === 'bucket' ? null : { algorithm: encryption, key: kmsKey },
    },
  });
}
