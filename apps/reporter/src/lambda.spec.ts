import { EVERYTHING } from './name-filter';
import { sourceOf } from './sources';
import { Cloud, digest, NETWORK } from './testing/replay';

const packaged = {
  FunctionName: 'resize',
  PackageType: 'Zip',
  CodeSha256: Buffer.from(digest('a'), 'hex').toString('base64'),
  LastModified: '2026-11-02T10:00:00.123+0000',
};
const image = {
  FunctionName: 'mail',
  PackageType: 'Image',
  CodeSha256: digest('b'),
  LastModified: '2026-11-02T10:00:01.000+0000',
};
const SECONDS = Date.parse('2026-11-02T10:00:00Z') / 1_000;

describe('the report of Lambda functions', () => {
  const cloud = new Cloud();
  let endpoint: string;
  beforeAll(async () => {
    process.env['AWS_ACCESS_KEY_ID'] = process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
    endpoint = await cloud.start();
  });
  afterAll(() => cloud.stop());

  const collect = async (functions = EVERYTHING) => {
    const aws = { region: 'eu-west-1', profile: null, endpoint };
    return sourceOf({ kind: 'lambda', aws, functions }, NETWORK, {}).collect();
  };
  const paged = () => {
    cloud.answer = ({ url }) =>
      url?.includes('Marker=more') === true
        ? { body: { Functions: [image], NextMarker: null } }
        : { body: { Functions: [packaged], NextMarker: 'more' } };
  };

  it('has packages and images of all pages', async () => {
    paged();
    const items = [
      { digests: { mail: digest('b') }, creationTimestamp: SECONDS + 1 },
      { digests: { resize: digest('a') }, creationTimestamp: SECONDS },
    ];
    expect(await collect()).toEqual({ artifacts: items });
    expect(await collect({ ...EVERYTHING, includeRegex: [/^re/] })).toEqual({ artifacts: [items[1]] });
  });

  it('is empty for an empty account', async () => {
    cloud.answer = () => ({ body: { Functions: [] } });
    expect(await collect()).toEqual({ artifacts: [] });
  });

  it('waits when AWS throttles, and fails when it denies the second page', async () => {
    let answers = 0;
    cloud.answer = ({ url }) => {
      answers += 1;
      if (answers === 1) {
        return {
          status: 429,
          headers: { 'x-amzn-errortype': 'TooManyRequestsException' },
          body: { Type: 'User', message: 'Rate exceeded' },
        };
      }
      return url?.includes('Marker=more') === true
        ? { status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' }, body: { Message: 'not authorized' } }
        : { body: { Functions: [packaged], NextMarker: 'more' } };
    };
    await expect(collect()).rejects.toThrow('not authorized');
    expect(answers).toBe(3);
  });

  it('fails when a function has no digest', async () => {
    cloud.answer = () => ({ body: { Functions: [packaged, { ...image, CodeSha256: '' }] } });
    await expect(collect()).rejects.toThrow('Lambda lists mail without a SHA-256.');
  });
});
