import { readConfig } from '../config';

const BUCKET = { ASSURANCE_BLOBS_BUCKET: 'evidence' };
const KEY = { ASSURANCE_BLOBS_ACCESS_KEY_ID: 'id', ASSURANCE_BLOBS_SECRET_ACCESS_KEY: 'not shown' };

function read(env: Record<string, string>, files: Record<string, string> = {}) {
  const config = readConfig(env, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error('there is no such file');
    return text;
  });
  return config.ok ? config.value.config.blobs : config.refusal;
}

describe('a bucket for attachments', () => {
  it('is none unless one is named, and then read beside the own store', () => {
    expect(read({})).toBeNull();
    expect(read(BUCKET)).toEqual({
      puts: 'own',
      s3: {
        bucket: 'evidence',
        prefix: '',
        endpoint: null,
        region: null,
        pathStyle: false,
        ca: null,
        credentials: null,
        encryption: null,
      },
    });
  });

  it('has a place, credentials that may be files, and encryption', () => {
    const env = {
      ...BUCKET,
      ASSURANCE_BLOBS_STORE: 's3',
      ASSURANCE_BLOBS_PREFIX: 'assurance',
      ASSURANCE_BLOBS_ENDPOINT: 'https://s3.example.com:7070',
      ASSURANCE_BLOBS_REGION: 'eu-central-1',
      ASSURANCE_BLOBS_PATH_STYLE: 'on',
      ASSURANCE_BLOBS_ACCESS_KEY_ID_FILE: 'id',
      ASSURANCE_BLOBS_SECRET_ACCESS_KEY_FILE: 'key',
      ASSURANCE_BLOBS_ENCRYPTION: 'aws:kms',
      ASSURANCE_BLOBS_KMS_KEY: 'alias/evidence',
    };
    expect(read(env, { id: 'an id\n', key: 'a key\n' })).toEqual({
      puts: 's3',
      s3: {
        bucket: 'evidence',
        prefix: 'assurance/',
        endpoint: 'https://s3.example.com:7070',
        ca: null,
        region: 'eu-central-1',
        pathStyle: true,
        credentials: { accessKeyId: 'an id', secretAccessKey: 'a key' },
        encryption: { algorithm: 'aws:kms', key: 'alias/evidence' },
      },
    });
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ ASSURANCE_BLOBS_STORE: 's3' }, /^ASSURANCE_BLOBS_STORE is s3, which needs ASSURANCE_BLOBS_BUCKET\.$/],
    [KEY, /^ASSURANCE_BLOBS_ACCESS_KEY_ID is set, but ASSURANCE_BLOBS_BUCKET is not\.$/],
    [
      { ASSURANCE_BLOBS_BUCKET: 'No_Bucket' },
      /^ASSURANCE_BLOBS_BUCKET is "No_Bucket", but must be the name of a bucket/,
    ],
    [{ ...BUCKET, ASSURANCE_BLOBS_PREFIX: 'a b' }, /^ASSURANCE_BLOBS_PREFIX is "a b", but must have letters/],
    [
      { ...BUCKET, ASSURANCE_BLOBS_ENDPOINT: 's3.example.com' },
      /^ASSURANCE_BLOBS_ENDPOINT is .+ must be an http or https/,
    ],
    [
      { ...BUCKET, ASSURANCE_BLOBS_SECRET_ACCESS_KEY: 'not shown' },
      /^ASSURANCE_BLOBS_SECRET_ACCESS_KEY is set and ASSURANCE_BLOBS_ACCESS_KEY_ID is not: set both, or neither\.$/,
    ],
    [{ ...BUCKET, ASSURANCE_BLOBS_KMS_KEY: 'k' }, /^ASSURANCE_BLOBS_KMS_KEY is set, which needs .+=aws:kms\.$/],
  ])('refuses %j', (env, sentence) => {
    const refusal = read(env);
    expect(refusal).toMatch(sentence);
    expect(refusal).not.toContain('not shown');
  });
});
