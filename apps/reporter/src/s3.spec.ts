import { createHash } from 'node:crypto';
import { EVERYTHING } from './name-filter';
import { acceptsKey } from './s3';
import { sourceOf } from './sources';
import { Cloud, NETWORK } from './testing/replay';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const CONTENTS: Record<string, string> = { 'app/index.html': '<p>', 'app/js/main.js': 'x()', 'readme.md': 'Shop' };

const page = (keys: readonly string[], next = '') => `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>shop</Name><KeyCount>${keys.length}</KeyCount>
<IsTruncated>${next !== ''}</IsTruncated>${next === '' ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`}
${keys.map((key, at) => `<Contents><Key>${key}</Key><LastModified>2026-11-02T10:00:0${at}.000Z</LastModified><ETag>"${sha256(key)}"</ETag><Size>3</Size></Contents>`).join('')}
</ListBucketResult>`;

const error = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} of the test</Message></Error>`;

describe('the report of a bucket', () => {
  const cloud = new Cloud();
  let endpoint: string;
  let list: (token: string | null) => { status?: number; body: string };
  let denied: string | null = null;
  /** Changes once after it was listed. */
  let replaced: string | null = null;

  beforeAll(async () => {
    process.env['AWS_ACCESS_KEY_ID'] = process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
    endpoint = await cloud.start();
    cloud.answer = ({ url = '' }) => {
      const { pathname, searchParams } = new URL(url, endpoint);
      if (searchParams.has('list-type')) return list(searchParams.get('continuation-token'));
      const key = decodeURIComponent(pathname.replace('/shop/', ''));
      if (key === denied) return { status: 412, body: error('PreconditionFailed') };
      if (key === replaced) {
        replaced = null;
        return { status: 412, body: error('PreconditionFailed') };
      }
      return { body: CONTENTS[key] ?? '' };
    };
  });
  beforeEach(() => {
    cloud.requests.length = 0;
    denied = null;
    list = (token) => ({
      body: token === null ? page(['app/', 'app/index.html', 'readme.md'], 'more') : page(['app/js/main.js']),
    });
  });
  afterAll(() => cloud.stop());

  const source = (keys = EVERYTHING) => {
    const aws = { region: 'eu-west-1', profile: null, endpoint };
    return sourceOf({ kind: 'S3', aws, bucket: 'shop', keys }, NETWORK, {});
  };
  // Each name is followed by its content: app, index.html, js, main.js, readme.md.
  const WHOLE = sha256(
    [
      [sha256('app'), sha256('index.html'), sha256('<p>')],
      [sha256('js'), sha256('main.js'), sha256('x()')],
      [sha256('readme.md'), sha256('Shop')],
    ]
      .flat()
      .join(''),
  );
  const AT = Date.parse('2026-11-02T10:00:00Z') / 1_000;

  it('is the digest of the folder that the keys of all pages describe', async () => {
    expect(await source().collect()).toEqual({ artifacts: [{ digests: { shop: WHOLE }, creationTimestamp: AT + 2 }] });
  });

  it('does not read again what did not change', async () => {
    const bucket = source();
    await bucket.collect();
    cloud.requests.length = 0;
    expect((await bucket.collect()).artifacts[0]?.digests).toEqual({ shop: WHOLE });
    expect(cloud.requests.filter((request) => !request.includes('list-type'))).toEqual([]);
  });

  it('begins again after an object changed since it was listed, and reads the others once', async () => {
    replaced = 'app/js/main.js';
    expect((await source().collect()).artifacts[0]?.digests).toEqual({ shop: WHOLE });
    expect(cloud.requests.filter((request) => request.includes('index.html'))).toHaveLength(1);
    denied = 'readme.md';
    const bucket = source();
    await expect(bucket.collect()).rejects.toThrow('PreconditionFailed');
    [denied, cloud.requests.length] = [null, 0];
    await bucket.collect();
    const read = cloud.requests.filter((request) => !request.includes('list-type'));
    expect(read).toEqual([expect.stringContaining('/readme.md') as string]);
  });

  it('is the file itself where one object matches', async () => {
    const report = await source({ ...EVERYTHING, include: ['/app/js'] }).collect();
    expect(report).toEqual({ artifacts: [{ digests: { 'main.js': sha256('x()') }, creationTimestamp: AT }] });
  });

  it('leaves out what the ignore file in the bucket names', async () => {
    CONTENTS['.kosli_ignore'] = '# no scripts\n**/*.js # of the page\n';
    list = () => ({ body: page(['.kosli_ignore', 'a/x.js', 'a/y.txt']) });
    CONTENTS['a/y.txt'] = 'y';
    const expected = [
      sha256('.kosli_ignore'),
      sha256(CONTENTS['.kosli_ignore']),
      sha256('a'),
      sha256('y.txt'),
      sha256('y'),
    ];
    const { artifacts } = await source().collect();
    expect(artifacts[0]?.digests).toEqual({ shop: sha256(expected.join('')) });
    expect(cloud.requests.some((request) => request.includes('x.js'))).toBe(false);
  });

  it('fails when a page is denied, nothing matches, or an object changed since it was listed', async () => {
    denied = 'readme.md';
    await expect(source().collect()).rejects.toThrow('PreconditionFailed');
    list = (token) =>
      token === null ? { body: page(['readme.md'], 'more') } : { status: 403, body: error('AccessDenied') };
    await expect(source().collect()).rejects.toThrow('AccessDenied');
    list = () => ({ body: page([]) });
    await expect(source().collect()).rejects.toThrow('No object of bucket shop matches.');
  });

  it('chooses keys by prefix and pattern', () => {
    const keys = ['a/1', 'a/2', 'b/1', 'b/'];
    const acceptedKeys = (filter: Partial<typeof EVERYTHING>) =>
      keys.filter((key) => acceptsKey({ ...EVERYTHING, ...filter }, key));
    expect(acceptedKeys({})).toEqual(['a/1', 'a/2', 'b/1']);
    expect(acceptedKeys({ include: ['/a'] })).toEqual(['a/1', 'a/2']);
    expect(acceptedKeys({ includeRegex: [/1$/], exclude: ['b'] })).toEqual(['a/1']);
  });
});
