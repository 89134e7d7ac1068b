import type { ReportItem } from '@assurance/environments/domain/difference';
import { ChangeEnvironment, type EnvironmentChange } from '@assurance/environments/write/change-environment';
import { type EnvironmentInput, PutEnvironment } from '@assurance/environments/write/put-environment';
import { ReportRunning } from '@assurance/environments/write/report-running';
import { type RoleUnderTest, startRole } from '@assurance/http/testing';
import { err, ok } from '@assurance/kernel';
import { PutPolicy } from '@assurance/policies/write/policies';
import { ingestion } from '../role';
import { atAcme } from '../testing/acme';

const acme = atAcme();
const put = (name: string, fields: Partial<EnvironmentInput> = {}, mayUpdate = true) =>
  acme().run(new PutEnvironment({ caller: acme().ada, input: { name, type: 'docker', ...fields }, mayUpdate }));
const change = (name: string, fields: EnvironmentChange) =>
  acme().run(new ChangeEnvironment({ caller: acme().ada, environment: name, change: fields }));
const unknown = (name: string) => err({ kind: 'environment-unknown', org: 'acme', name });

const strict = (name: string) => {
  const rules = {
    provenance: { required: true, exceptions: [] },
    trailCompliance: { required: false, exceptions: [] },
    attestations: [],
  };
  const input = { name, description: '', comment: '', yaml: '_schema: 1', rules };
  return acme().run(new PutPolicy({ caller: acme().ada, input }));
};

describe('PutEnvironmentHandler', () => {
  it('creates an environment', async () => {
    expect(await put('made')).toEqual({ answer: ok('made'), events: ['NameClaimed', 'EnvironmentCreated'] });
  });

  it('records nothing for the same environment again', async () => {
    await put('again');
    expect(await put('again')).toEqual({ answer: ok('kept'), events: [] });
  });

  it('refuses a change by somebody who may only create', async () => {
    await put('guarded');
    expect(await put('guarded', { description: 'other' }, false)).toEqual({
      answer: err({ kind: 'forbidden' }),
      events: [],
    });
  });

  it('attaches exactly the given policies in the commit of the environment', async () => {
    await strict('put-strict');
    await strict('put-other');
    const result = await put('proven', { policies: ['put-strict'] });
    expect(result).toEqual({ answer: ok('made'), events: ['NameClaimed', 'EnvironmentCreated', 'PolicyAttached'] });
    expect((await put('proven', { policies: ['put-other'] })).events).toEqual(['PolicyDetached', 'PolicyAttached']);
    expect(await put('proven', { policies: ['put-other'] })).toEqual({ answer: ok('kept'), events: [] });
    expect(await put('proven')).toEqual({ answer: ok('kept'), events: [] });
  });

  it('refuses an unknown policy before it takes the name', async () => {
    const errors = { policies: "Policy 'nobody' does not exist" };
    const input = { description: 'new', policies: ['nobody'] };
    expect(await put('unproven', input)).toEqual({ answer: err({ kind: 'invalid', errors }), events: [] });
  });

  it('refuses a logical environment with a member that does not exist', async () => {
    const { answer, events } = await put('union', { type: 'logical', includedEnvironments: ['nobody'] });
    expect(answer).toEqual(err({ kind: 'invalid', errors: expect.objectContaining({}) }));
    expect(events).toEqual([]);
  });
});

describe('ChangeEnvironmentHandler', () => {
  it('attaches a policy and records nothing when it is attached again', async () => {
    await strict('strict');
    await put('judged');
    const attach = { kind: 'attach', policies: ['strict'] } as const;
    const attached = await change('judged', attach);
    expect(attached.answer).toEqual(ok(null));
    expect(attached.events[0]).toBe('PolicyAttached');
    expect(await change('judged', attach)).toEqual({ answer: ok(null), events: [] });
  });

  it('refuses a policy that does not exist', async () => {
    await put('unjudged');
    const { answer, events } = await change('unjudged', { kind: 'attach', policies: ['nobody'] });
    expect(answer).toMatchObject(err({ kind: 'policy-unknown' }));
    expect(events).toEqual([]);
  });

  it('patches the policies of an environment, and changes nothing for an unknown one', async () => {
    await strict('patched-in');
    await put('patched');
    const patch = (policies: readonly string[]) => change('patched', { kind: 'patch', description: 'new', policies });
    const errors = { policies: "Policy 'nobody' does not exist" };
    expect(await patch(['patched-in', 'nobody'])).toEqual({ answer: err({ kind: 'invalid', errors }), events: [] });
    expect((await patch(['patched-in'])).events).toEqual(['EnvironmentUpdated', 'PolicyAttached']);
    expect(await patch(['patched-in'])).toEqual({ answer: ok(null), events: [] });
    expect((await patch([])).events).toEqual(['PolicyDetached']);
  });

  it('adds a physical environment to a logical one and refuses a logical one', async () => {
    await put('member');
    await put('all', { type: 'logical', includedEnvironments: [] });
    expect((await change('all', { kind: 'join', member: 'member' })).events).toEqual(['EnvironmentUpdated']);
    const again = await change('all', { kind: 'join', member: 'all' });
    expect(again).toEqual({ answer: err({ kind: 'member-not-physical', name: 'all' }), events: [] });
  });

  it('refuses a name that another environment has', async () => {
    await put('first');
    await put('second');
    expect(await change('second', { kind: 'rename', name: 'first' })).toEqual({
      answer: err({ kind: 'name-taken', name: 'first' }),
      events: [],
    });
  });

  it('refuses changes of an archived environment, except archiving it again', async () => {
    await put('archived');
    expect(await change('archived', { kind: 'archive' })).toEqual({
      answer: ok(null),
      events: ['EnvironmentArchived'],
    });
    expect(await change('archived', { kind: 'archive' })).toEqual({ answer: ok(null), events: [] });
    expect(await change('archived', { kind: 'patch', description: 'other' })).toEqual({
      answer: err({ kind: 'environment-archived', name: 'archived' }),
      events: [],
    });
  });

  it('refuses an unknown environment', async () => {
    expect(await change('nobody', { kind: 'archive' })).toEqual({ answer: unknown('nobody'), events: [] });
  });
});

describe('ReportRunningHandler', () => {
  const web: ReportItem = { digests: [['web:1', 'a'.repeat(64)]], creationTimestamp: 1_700_000_000 };
  const report = (name: string, items: readonly ReportItem[], type: 'docker' | 'server' = 'docker') =>
    acme().run(new ReportRunning(acme().ada, name, type, items));

  it('records a snapshot for a change and nothing for the same report again', async () => {
    await put('production');
    expect((await report('production', [web])).answer).toEqual(ok(1));
    expect(await report('production', [web])).toEqual({ answer: ok(null), events: [] });
    const empty = await report('production', []);
    expect(empty.answer).toEqual(ok(2));
    expect(empty.events[0]).toBe('SnapshotRecorded');
  });

  it('records nothing when only the order of the items differs', async () => {
    await put('ordered');
    const other: ReportItem = { digests: [['api:1', 'b'.repeat(64)]], creationTimestamp: 1_700_000_000 };
    await report('ordered', [web, other]);
    expect(await report('ordered', [other, web])).toEqual({ answer: ok(null), events: [] });
  });

  it('refuses a report of another type', async () => {
    await put('typed');
    const { answer, events } = await report('typed', [web], 'server');
    expect(answer).toMatchObject(err({ kind: 'environment-wrong-kind' }));
    expect(events).toEqual([]);
  });

  it('refuses an unknown environment and an archived one', async () => {
    expect(await report('nobody', [web])).toEqual({ answer: unknown('nobody'), events: [] });
    await put('ended');
    await change('ended', { kind: 'archive' });
    expect(await report('ended', [web])).toEqual({
      answer: err({ kind: 'environment-archived', name: 'ended' }),
      events: [],
    });
  });

  describe('beside another process', () => {
    let other: RoleUnderTest;
    beforeAll(async () => {
      const bootstrap = { kind: 'file', users: [], organizations: [] } as const;
      other = await startRole(ingestion, acme().engines, { bootstrap });
    });
    afterAll(() => other.close());

    it('records nothing for what the other one recorded, and a snapshot for what was true before', async () => {
      await put('shared');
      await report('shared', [web]);
      expect(await other.commands.execute(new ReportRunning(acme().ada, 'shared', 'docker', []))).toEqual(ok(2));
      expect(await report('shared', [])).toEqual({ answer: ok(null), events: [] });
      await other.commands.execute(new ReportRunning(acme().ada, 'shared', 'docker', [web]));
      await report('shared', []);
      expect(await other.commands.execute(new ReportRunning(acme().ada, 'shared', 'docker', [web]))).toEqual(ok(5));
      expect((await report('shared', [])).answer).toEqual(ok(6));
    });

    it('refuses an environment that the other one archived', async () => {
      await put('closed');
      await report('closed', [web]);
      await other.commands.execute(
        new ChangeEnvironment({ caller: acme().ada, environment: 'closed', change: { kind: 'archive' } }),
      );
      expect(await report('closed', [])).toEqual({
        answer: err({ kind: 'environment-archived', name: 'closed' }),
        events: [],
      });
    });

    it('reports the environment that has the name now', async () => {
      await put('moved');
      await report('moved', [web]);
      await report('moved', []);
      await other.commands.execute(
        new ChangeEnvironment({ caller: acme().ada, environment: 'moved', change: { kind: 'rename', name: 'before' } }),
      );
      await other.commands.execute(
        new PutEnvironment({ caller: acme().ada, input: { name: 'moved', type: 'docker' }, mayUpdate: true }),
      );
      expect((await report('moved', [web])).answer).toEqual(ok(1));
      expect((await report('before', [web])).answer).toEqual(ok(3));
    });
  });
});
