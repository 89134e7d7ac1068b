import { decide, verdictOf } from './verdict';

describe('a verdict', () => {
  const refused = { kind: 'refused', reason: 'web is not compliant' } as const;
  const unknown = { kind: 'unknown', fault: 'unavailable', reason: 'the service is away' } as const;
  const unasked = { kind: 'unknown', fault: 'unasked', reason: 'not answered within 5 s' } as const;
  const compliant = { kind: 'compliant' } as const;

  it.each([
    [[], false, true],
    [[compliant], false, true],
    [[compliant, refused], true, false],
    [[compliant, unknown], false, false],
    [[compliant, unknown], true, true],
    [[unknown, refused], true, false],
    [[unknown, unasked], true, true],
    [[compliant, unasked], true, false],
    [[compliant, unknown, unasked], true, false],
  ])('decides %j where failing open is %s', (verdicts, failOpen, allowed) => {
    expect(decide(verdicts, failOpen).allowed).toBe(allowed);
  });

  it('warns when it admits an image that was not judged', () => {
    expect(decide([unknown], true).warnings).toEqual(['not judged: the service is away']);
  });

  const digest = 'ab'.repeat(32);
  const question = { image: 'web', digest, environment: 'prod' };
  const answered = (status: number, verdict?: string, text = '{"html_url":"https://a/b"}') =>
    verdictOf(
      question,
      { status, headers: verdict === undefined ? {} : { 'x-assurance-verdict': verdict }, text },
      false,
    );
  const [subject, otherSubject] = [`sha256=${digest}; environment=prod`, `sha256=${'cd'.repeat(32)}; environment=prod`];

  it('admits an image only if the header of 200 names this image and this environment', () => {
    expect(answered(200, `compliant; ${subject}`)).toEqual(compliant);
    const reason = 'web is not compliant: https://a/b';
    expect(answered(200, `non-compliant; ${subject}`)).toEqual({ kind: 'refused', reason });
    expect(answered(200, `non-compliant; ${subject}`, 'no JSON').kind).toBe('refused');
  });

  it.each([
    ['no header, though the body says compliant', 200, undefined],
    ['another artifact', 200, `compliant; ${otherSubject}`],
    ['another environment', 200, `compliant; sha256=${digest}; environment=staging`],
    ['a flow', 200, `compliant; sha256=${digest}; flow=prod`],
    ['more than was asked', 200, `compliant; ${subject}; flow=web`],
    ['two headers that Node joined', 200, `compliant; ${subject}, compliant; ${subject}`],
    ['nothing judges', 200, `not-judged; ${subject}`],
    ['a redirect', 302, `compliant; ${subject}`],
    ...[201, 204, 401, 403, 429, 500, 503].map((status) => [`${status}`, status, `compliant; ${subject}`] as const),
  ] as const)('has no verdict: %s', (_, status, verdict) => {
    expect(answered(status, verdict, '{"compliant":true}').kind).toBe('unknown');
  });

  it('reads 404 as an artifact that nobody recorded only if the header says so of this image and this environment', () => {
    const text = '{"message":"does not exist"}';
    expect(answered(404, `not-recorded; ${subject}`, text)).toEqual({ kind: 'refused', reason: 'web: does not exist' });
    const others = [undefined, `compliant; ${subject}`, `not-recorded; ${otherSubject}`];
    for (const header of others) expect(answered(404, header, text)).toMatchObject({ fault: 'misconfigured' });
    expect(answered(200, `not-recorded; ${subject}`)).toMatchObject({ fault: 'misconfigured' });
  });

  it.each([
    ...[200, 302, 400, 404].map(
      (status) => [status, 'misconfigured', 'Check url, organization and environment'] as const,
    ),
    ...[401, 403].map((status) => [status, 'misconfigured', 'Give apiKeyFile or apiKeyVariable a key'] as const),
    ...[408, 429, 500, 502, 503].map(
      (status) => [status, 'unavailable', `the service answers ${status}: a page`] as const,
    ),
  ])('says of %i without a verdict that it is %s, and why', (status, fault, reason) => {
    const verdict = answered(status, undefined, 'a page');
    expect(verdict).toMatchObject({ kind: 'unknown', fault, reason: expect.stringContaining(reason) as string });
    expect(JSON.stringify(verdict).includes('the gate is misconfigured')).toBe(fault === 'misconfigured');
  });

  it('admits what nothing judges only where that is set', () => {
    const answer = { status: 200, headers: { 'x-assurance-verdict': `not-judged; ${subject}` }, text: '{}' };
    expect(verdictOf(question, answer, true)).toEqual(compliant);
    const refused = { status: 200, headers: { 'x-assurance-verdict': `non-compliant; ${subject}` }, text: '{}' };
    expect(verdictOf(question, refused, true).kind).toBe('refused');
  });
});
