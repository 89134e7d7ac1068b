import { ChangeSpace, PutSpace, type SpaceChange } from '@assurance/access/write/spaces';
import { ROOT_SPACE } from '@assurance/contracts/access/events';
import { ArchiveAttestationType, PostAttestationType } from '@assurance/evidence/write/attestation-types';
import { repo } from '@assurance/flows/domain/repo';
import { BeginTrail } from '@assurance/flows/write/begin-trail';
import { PutFlow } from '@assurance/flows/write/put-flow';
import { TagRepo } from '@assurance/flows/write/tag-repo';
import { err, ok } from '@assurance/kernel';
import { ChangeControl, type ControlChange, CreateControl } from '@assurance/policies/write/controls';
import { PutPolicy } from '@assurance/policies/write/policies';
import { atAcme } from '../testing/acme';

const acme = atAcme();
const createControl = (identifier: string) =>
  acme().run(
    new CreateControl({ caller: acme().ada, input: { identifier, name: identifier, description: '', links: {} } }),
  );
const putSpace = async (name: string, parent: string = ROOT_SPACE) => {
  const { answer, events } = await acme().run(new PutSpace({ caller: acme().ada, input: { name, parent } }));
  return { id: answer.ok ? answer.value.space.id : '', answer, events };
};
const postType = (name: string, rules: readonly string[]) =>
  acme().run(new PostAttestationType({ caller: acme().ada, input: { name, schema: null, rules, summary: null } }));

describe('CreateControlHandler', () => {
  it('creates a control', async () => {
    const { answer, events } = await createControl('C-1');
    expect(events).toEqual(['NameClaimed', 'ControlCreated']);
    expect(answer).toMatchObject(ok({ identifier: 'C-1', version: 1 }));
  });

  it('refuses an identifier that exists', async () => {
    await createControl('C-2');
    const { answer, events } = await createControl('C-2');
    expect(answer).toMatchObject(err({ kind: 'control-exists', org: 'acme' }));
    expect(events).toEqual([]);
  });
});

describe('ChangeControlHandler', () => {
  const change = (identifier: string, fields: ControlChange) =>
    acme().run(new ChangeControl({ caller: acme().ada, identifier, change: fields }));

  it('updates a control and records nothing for the same values again', async () => {
    await createControl('C-3');
    const update = { kind: 'update', settings: { description: 'reviewed by two' } } as const;
    const changed = ok({ description: 'reviewed by two', version: 2 });
    expect(await change('C-3', update)).toMatchObject({ answer: changed, events: ['ControlUpdated'] });
    expect(await change('C-3', update)).toMatchObject({ answer: changed, events: [] });
  });

  it('archives a control and restores it', async () => {
    await createControl('C-4');
    expect((await change('C-4', { kind: 'archive' })).events).toEqual(['ControlArchived']);
    expect((await change('C-4', { kind: 'unarchive' })).events).toEqual(['ControlUnarchived']);
  });

  it('refuses an unknown control', async () => {
    const refusal = err({ kind: 'control-unknown', org: 'acme', identifier: 'nobody' });
    expect(await change('nobody', { kind: 'archive' })).toEqual({ answer: refusal, events: [] });
  });
});

describe('PutPolicyHandler', () => {
  const put = (name: string, yaml: string, forControl: string | null = null) => {
    const review = { if: null, name: 'review', type: '*', mustBeCompliant: true, forControl };
    const none = { required: false, exceptions: [] };
    const rules = { provenance: none, trailCompliance: none, attestations: [review] };
    return acme().run(
      new PutPolicy({ caller: acme().ada, input: { name, description: '', comment: '', yaml, rules } }),
    );
  };

  it('creates a policy, adds a version, and records nothing for the same text again', async () => {
    expect(await put('strict', 'a: 1')).toEqual({ answer: ok('made'), events: ['NameClaimed', 'PolicyCreated'] });
    expect(await put('strict', 'a: 2')).toEqual({ answer: ok('kept'), events: ['PolicyRevised'] });
    expect(await put('strict', 'a: 2')).toEqual({ answer: ok('kept'), events: [] });
  });

  it('changes the description of an existing policy, and claims no name for a missing policy', async () => {
    const described = (name: string, description: string) =>
      acme().run(new PutPolicy({ caller: acme().ada, input: { name, description, yaml: null } }));
    await put('described', 'a: 1');
    expect(await described('described', 'New')).toEqual({ answer: ok('kept'), events: ['PolicyDescribed'] });
    expect(await described('described', 'New')).toEqual({ answer: ok('kept'), events: [] });
    expect(await described('nobody', 'New')).toEqual({ answer: err({ kind: 'policy-file-missing' }), events: [] });
  });

  it('refuses a control that does not exist and names the field', async () => {
    const errors = { 'policy_file.artifacts.attestations.0.for_control': "Control 'nobody' does not exist" };
    expect(await put('for-nobody', 'a: 1', 'nobody')).toEqual({ answer: err({ kind: 'invalid', errors }), events: [] });
  });
});

describe('PostAttestationTypeHandler', () => {
  it('creates a type and adds a version to it', async () => {
    expect((await postType('coverage', [])).events).toEqual(['NameClaimed', 'AttestationTypeCreated']);
    expect(await postType('coverage', [])).toEqual({ answer: ok(null), events: ['AttestationTypeRevised'] });
  });

  it('refuses a rule that is no jq program and names the field', async () => {
    const { answer, events } = await postType('broken', ['.a >']);
    expect(answer).toMatchObject(err({ kind: 'invalid', errors: { 'evaluator.rules.0': expect.any(String) } }));
    expect(events).toEqual([]);
  });
});

describe('ArchiveAttestationTypeHandler', () => {
  const archive = (name: string) => acme().run(new ArchiveAttestationType({ caller: acme().ada, name }));

  it('archives a type and records nothing when it is archived again', async () => {
    await postType('retired', []);
    expect(await archive('retired')).toEqual({ answer: ok(null), events: ['AttestationTypeArchived'] });
    expect(await archive('retired')).toEqual({ answer: ok(null), events: [] });
  });

  it('refuses an unknown type', async () => {
    const refusal = err({ kind: 'attestation-type-unknown', org: 'acme', name: 'nobody' });
    expect(await archive('nobody')).toEqual({ answer: refusal, events: [] });
  });
});

describe('PutSpaceHandler', () => {
  it('creates a space and records nothing for the same name again', async () => {
    const answer = await putSpace('payments');
    expect(answer).toMatchObject({
      answer: ok({ created: true, space: { name: 'payments' } }),
      events: ['SpaceCreated'],
    });
    expect(await putSpace('payments')).toMatchObject({ id: answer.id, answer: ok({ created: false }), events: [] });
  });

  it('refuses a parent that does not exist', async () => {
    const { answer, events } = await putSpace('lost', 'nowhere');
    expect(answer).toMatchObject(err({ kind: 'space-not-there', org: 'acme' }));
    expect(events).toEqual([]);
  });
});

describe('ChangeSpaceHandler', () => {
  const change = (id: string, fields: SpaceChange) =>
    acme().run(new ChangeSpace({ caller: acme().ada, id, change: fields }));

  it('renames a space and records nothing for the same name again', async () => {
    const { id } = await putSpace('before');
    expect(await change(id, { kind: 'rename', name: 'after' })).toEqual({ answer: ok(null), events: ['SpaceRenamed'] });
    expect(await change(id, { kind: 'rename', name: 'after' })).toEqual({ answer: ok(null), events: [] });
  });

  it('refuses to archive a space that holds something', async () => {
    const { id } = await putSpace('full');
    await putSpace('inner', id);
    const { answer, events } = await change(id, { kind: 'archive' });
    expect(answer).toMatchObject(err({ kind: 'space-not-empty', name: 'full', spaces: 1 }));
    expect(events).toEqual([]);
  });

  it('refuses an unknown space', async () => {
    const refusal = err({ kind: 'space-unknown', org: 'acme', id: 'nobody' });
    expect(await change('nobody', { kind: 'archive' })).toEqual({ answer: refusal, events: [] });
  });
});

describe('TagRepoHandler', () => {
  const tag = (id: string) =>
    acme().run(new TagRepo({ caller: acme().ada, id, tags: { set: { team: 'shop' }, remove: [] } }));

  it('tags a repository and records nothing for the same tags again', async () => {
    await acme().run(new PutFlow({ caller: acme().ada, input: { name: 'shop' } }));
    const input = { name: 'acme/shop', url: 'https://github.com/acme/shop', provider: 'github' };
    await acme().run(new BeginTrail({ caller: acme().ada, flow: 'shop', input: { name: 'build-1' }, repo: input }));
    const { documents } = await acme().engines.documents.collection(repo.states).scan(null, 1);
    const id = documents[0]?.doc.id ?? '';
    expect(await tag(id)).toEqual({ answer: ok(null), events: ['RepoTagged'] });
    expect(await tag(id)).toEqual({ answer: ok(null), events: [] });
  });

  it('refuses an unknown repository', async () => {
    expect(await tag('nobody')).toEqual({ answer: err({ kind: 'repo-unknown', name: 'nobody' }), events: [] });
  });
});
