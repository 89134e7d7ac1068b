import { byText } from './reasons';

describe('reasons', () => {
  it('of several policies are shown once, with the names of the policies', () =>
    expect(
      byText([
        'the environment requires provenance, and the artifact has none',
        "policy 'strict': the artifact has no provenance",
        "policy 'strict': the 'scan' attestation of type snyk is missing",
        "policy 'pci': the artifact has no provenance",
      ]),
    ).toEqual([
      { text: 'the environment requires provenance, and the artifact has none', policies: [] },
      { text: 'the artifact has no provenance', policies: ['strict', 'pci'] },
      { text: "the 'scan' attestation of type snyk is missing", policies: ['strict'] },
    ]));

  it('name a policy once, however often it gives a reason', () =>
    expect(byText(["policy 'a': no", "policy 'a': no"])).toEqual([{ text: 'no', policies: ['a'] }]));

  it('that only look like those of a policy stay whole', () =>
    expect(byText(['policy a: no', "policy '': no"])).toEqual([
      { text: 'policy a: no', policies: [] },
      { text: "policy '': no", policies: [] },
    ]));
});
