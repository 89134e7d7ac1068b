import { X509Certificate } from 'node:crypto';
import { err, ok, type Result } from '@assurance/kernel';
import type { S3Settings } from '@assurance/storage/s3';
import {
  hiddenText,
  isWeb,
  loneSetting,
  matching,
  oneOf,
  pem,
  type ReadSetting,
  text,
  url,
  type Variable,
} from '../variables';

const PREFIX = /^[A-Za-z0-9!_.*'()/-]{1,200}$/;

/** A prefix of keys. A slash is added at its end if it has none. */
const prefix: Variable<string> = {
  fallback: '',
  read: (input) =>
    PREFIX.test(input)
      ? ok(input.endsWith('/') ? input : `${input}/`)
      : err("must have letters, digits and ! _ . * ' ( ) / - alone, at most 200"),
};

const bucket = matching(
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  'must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens',
);

const endpoint = url(
  (input) => isWeb(input) && input.username === '' && input.search === '',
  'must be an http or https URL, without user, password and query',
);

/** A bucket for attachments. */
export interface BlobStorage {
  /** The store that new attachments go to. The other store is still read. */
  readonly puts: 'own' | 's3';
  readonly s3: S3Settings;
}

/**
 * Reads the settings of a bucket for attachments. Settings with PEM or a secret may be files (`…_FILE`).
 *
 * @returns null if no bucket is named; a refusal names the setting that is missing, or that has no effect with the other settings
 */
export function blobStorage(readSetting: ReadSetting): Result<BlobStorage | null, string> {
  const set: string[] = [];
  const read: ReadSetting = (name, variable) => {
    const value = readSetting(name, variable);
    if (value !== variable.fallback) set.push(name);
    return value;
  };
  const puts = read('ASSURANCE_BLOBS_STORE', oneOf(['own', 's3'], 'own'));
  const name = read('ASSURANCE_BLOBS_BUCKET', bucket);
  const place = {
    prefix: read('ASSURANCE_BLOBS_PREFIX', prefix),
    endpoint: read('ASSURANCE_BLOBS_ENDPOINT', endpoint),
    region: read('ASSURANCE_BLOBS_REGION', text(null)),
    pathStyle: read('ASSURANCE_BLOBS_PATH_STYLE', oneOf(['off', 'on'], 'off')) === 'on',
    ca: read(
      'ASSURANCE_BLOBS_CA',
      pem('a certificate', (input) => new X509Certificate(input)),
    ),
  };
  const id = read('ASSURANCE_BLOBS_ACCESS_KEY_ID', hiddenText);
  const key = read('ASSURANCE_BLOBS_SECRET_ACCESS_KEY', hiddenText);
  const encryption = read('ASSURANCE_BLOBS_ENCRYPTION', oneOf(['bucket', 'AES256', 'aws:kms'], 'bucket'));
  const kmsKey = read('ASSURANCE_BLOBS_KMS_KEY', text(null));
  if (name === null) {
    if (puts === 's3') return err('ASSURANCE_BLOBS_STORE is s3, which needs ASSURANCE_BLOBS_BUCKET.');
    const [useless] = set;
    return useless === undefined ? ok(null) : err(`${useless} is set, but ASSURANCE_BLOBS_BUCKET is not.`);
  }
  const loneName = loneSetting({ ASSURANCE_BLOBS_ACCESS_KEY_ID: id, ASSURANCE_BLOBS_SECRET_ACCESS_KEY: key });
  if (loneName !== null) return err(loneName);
  if (kmsKey !== null && encryption !== 'aws:kms') {
    return err('ASSURANCE_BLOBS_KMS_KEY is set, which needs ASSURANCE_BLOBS_ENCRYPTION=aws:kms.');
  }
  return ok({
    puts,
    s3: {
      bucket: name,
      ...place,
      credentials: id === null || key === null ? null : { accessKeyId: id, secretAccessKey: key },
      encryption: encryption === 'bucket' ? null : { algorithm: encryption, key: kmsKey },
    },
  });
}
