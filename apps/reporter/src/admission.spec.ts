import { decide, imagesOf, verdictOf } from './admission';

describe('the admission of pods', () => {
  const refused = { kind: 'refused', reason: 'web is not compliant' } as const;
  const unknown = { kind: 'unknown', reason: 'the service is away' } as const;
  const compliant = { kind: 'compliant' } as const;

  it.each([
    [[], false, true],
    [[compliant], false, true],
    [[compliant, refused], true, false],
    [[compliant, unknown], false, false],
    [[compliant, unknown], true, true],
    [[unknown, refused], true, false],
  ])('decides %j where failing open is %s', (verdicts, failOpen, allowed) => {
    expect(decide(verdicts, failOpen).allowed).toBe(allowed);
  });

  it('warns when it admits an image that was not judged', () => {
    expect(decide([unknown], true).warnings).toEqual(['not judged: the service is away']);
  });

  it('reads 404 as an unrecorded artifact, and other errors as a missing judgement', () => {
    expect(verdictOf('web', 200, '{"compliant":true}')).toEqual(compliant);
    expect(verdictOf('web', 200, '{"compliant":false,"html_url":"https://a/b"}')).toEqual({
      kind: 'refused',
      reason: 'web is not compliant: https://a/b',
    });
    expect(verdictOf('web', 404, '{"message":"does not exist"}').kind).toBe('refused');
    for (const status of [401, 403, 429, 500, 503]) expect(verdictOf('web', status, '{}').kind).toBe('unknown');
  });

  it('finds the images of pods and of what makes pods', () => {
    const spec = { containers: [{ image: 'a' }, { image: 'b' }], initContainers: [{ image: 'c' }, { image: 'a' }] };
    const images = (object: object) => imagesOf({ uid: '1', object });
    expect(images({ spec })).toEqual(['c', 'a', 'b']);
    expect(images({ spec: { template: { spec } } })).toEqual(['c', 'a', 'b']);
    expect(images({ spec: { jobTemplate: { spec: { template: { spec } } } } })).toEqual(['c', 'a', 'b']);
    expect(images({})).toEqual([]);
  });
});
