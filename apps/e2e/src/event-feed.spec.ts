import type { CloudEventAnswer, EventFeedAnswer } from '@assurance/contracts/audit/answers/events';
import { publicEventTypes, wrongIn } from '@assurance/testing/public-events';
import type { Caller } from './support/caller';
import { eventually } from './support/eventually';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  fresh,
  item,
  policy,
  post,
  PROVENANCE,
  report,
} from './support/samples';
import { onOwnServices } from './support/world';

/** A reader as a SIEM has one: it stores what it read, and then the cursor. */
class Reader {
  stored: CloudEventAnswer[] = [];
  cursor = '';

  constructor(
    private readonly caller: Caller,
    private readonly query = '',
  ) {}

  async read(limit: number): Promise<EventFeedAnswer> {
    return this.caller.get<EventFeedAnswer>(`/events/acme?cursor=${this.cursor}&limit=${limit}&${this.query}`);
  }

  /** @param isKilled whether it ends after it stored the events, before it stored the cursor */
  async step(limit: number, isKilled = false): Promise<boolean> {
    const { events, cursor, more } = await this.read(limit);
    this.stored.push(...events);
    if (!isKilled) this.cursor = cursor;
    return more || isKilled;
  }

  async all(limit = 500): Promise<CloudEventAnswer[]> {
    while (await this.step(limit));
    return this.stored;
  }
}

const ids = (events: readonly CloudEventAnswer[]) => events.map(({ id }) => id);

/** The public events and the administrative changes, in one order. */
onOwnServices((world) => {
  const admin = () => world().as('admin');
  const member = () => world().as('member');

  async function work(): Promise<{ env: string; flowName: string }> {
    const [flowName, env] = [await flow(member()), await environment(member())];
    await post(member(), flowName, artifact(digest(env), { trail_name: 'build' }));
    await report(member(), env, [item({ web: digest(env) })]);
    await attach(member(), env, await policy(member(), PROVENANCE));
    await report(member(), env, [item({ web: digest(`${env} b`) }), item({ db: digest(`${env} c`) })]);
    const form = new FormData();
    form.set('data_json', JSON.stringify({ attestation_name: 'scan', is_compliant: true }));
    await member().expect(201, 'POST', `/attestations/acme/${flowName}/trail/build/generic`, { form });
    return { env, flowName };
  }

  it('has every documented type, by its schema', async () => {
    const { env, flowName } = await work();
    const reader = new Reader(admin());
    // A verdict is recorded after its report was answered, and streams have no order among each other.
    const isWhole = (events: readonly CloudEventAnswer[]) =>
      events.filter(({ type, subject }) => type.includes('compliance') && subject.includes(env)).length === 2 &&
      events.some(({ type, subject }) => type.includes('attestation') && subject.includes(flowName));
    const all = await eventually(() => reader.all(), isWhole);
    expect([...new Set(all.map(({ type }) => type))].sort()).toEqual(publicEventTypes());
    expect(all.flatMap(wrongIn)).toEqual([]);
    const own = all.filter(({ subject }) => subject.startsWith(`environments/${env}/`));
    expect(own.map(({ type }) => type.split('.').slice(1, 3).join('.'))).toEqual([
      'snapshot.recorded',
      'artifact.started',
      'snapshot.recorded',
      'compliance.changed',
      'snapshot.recorded',
      'artifact.started',
      'artifact.started',
      'artifact.exited',
      'compliance.changed',
    ]);
    const [created] = all.filter(({ type, subject }) => type.includes('settings') && subject === `environment/${env}`);
    expect(created).toMatchObject({
      specversion: '1.0',
      source: '/organizations/acme',
      partitionkey: 'acme',
      data: { organization: 'acme', type: 'environment_created', actor: { name: 'ci-member' }, before: {} },
    });
  });

  it('loses none for a reader that is killed and started again, and can be read again from a cursor', async () => {
    await work();
    const least = (await new Reader(admin()).all()).length;
    for (const limit of [1, 2, 3, 7]) {
      const reader = new Reader(admin());
      for (let step = 1; await reader.step(limit, step % 3 === 0); step += 1);
      const distinct = [...new Set(ids(reader.stored))];
      expect(reader.stored.length).toBeGreaterThan(distinct.length);
      expect(distinct.length).toBeGreaterThanOrEqual(least);
      expect(distinct).toEqual(ids(await new Reader(admin()).all()).slice(0, distinct.length));
    }
    const reader = new Reader(admin());
    await reader.step(5);
    const again = await reader.read(4);
    expect(await reader.read(4)).toEqual(again);
    expect(ids(again.events)).toEqual(ids(await new Reader(admin()).all()).slice(5, 9));
  });

  it('loses none while others write', async () => {
    const reader = new Reader(admin());
    await reader.all();
    const begun = reader.stored.length;
    const writing = Promise.all([work(), work(), work()]);
    for (let i = 0; i < 40; i += 1) await reader.step(3);
    const written = await writing;
    const of = (events: readonly CloudEventAnswer[]) =>
      written.map(({ env, flowName }) => {
        const own = events
          .slice(begun)
          .filter(({ data }) => [env, flowName].some((name) => JSON.stringify(data).includes(`"${name}"`)));
        return own
          .map(({ type }) => type.split('.')[1])
          .sort()
          .join(' ');
      });
    const all = [
      'artifact artifact artifact artifact attestation compliance compliance',
      'settings settings settings snapshot snapshot snapshot trail',
    ].join(' ');
    const results = await eventually(
      async () => of(await reader.all()),
      (each) => each.every((types) => types === all),
    );
    expect(results).toEqual(written.map(() => all));
    const whole = ids(await new Reader(admin()).all());
    expect(ids(reader.stored)).toEqual(whole.slice(0, reader.stored.length));
    expect(new Set(whole).size).toBe(whole.length);
  });

  it('has only the types that are wanted, at the same cursors', async () => {
    const type = 'assurance.settings.changed.v1';
    const reader = new Reader(admin(), `type=${type}`);
    const settings = await reader.all(4);
    const whole = await new Reader(admin()).all();
    expect(settings).toEqual(whole.filter((event) => event.type === type).slice(0, settings.length));
    expect(settings.length).toBeGreaterThan(4);
    const env = await environment(member());
    // Another user created it: only the writer can read it at once.
    const next = await eventually(
      () => reader.read(10),
      ({ events }) => events.length > 0,
    );
    expect(next.events.map(({ subject }) => subject)).toEqual([`environment/${env}`]);
  });

  it('names what was changed, also where the change has no more than its id', async () => {
    const heldFlow = await flow(admin());
    await admin().expect(200, 'PUT', `/retention/acme/holds/${heldFlow}`, { json: { reason: 'Case 7' } });
    const settings = await new Reader(admin(), 'type=assurance.settings.changed.v1').all();
    const holdEvent = settings.filter(({ data }) => JSON.stringify(data).includes('hold_placed')).at(-1);
    expect(holdEvent).toMatchObject({
      subject: `legal-hold/${heldFlow}`,
      data: { type: 'hold_placed', subject: { kind: 'legal-hold', name: heldFlow } },
    });
  });

  it('begins again, and says so, where a cursor is of an order that was made again', async () => {
    const whole = await new Reader(admin()).all();
    for (const cursor of [`3.0.${'0'.repeat(16)}`, `99999999.0.${'a'.repeat(16)}`]) {
      const first = await admin().get<EventFeedAnswer>(`/events/acme?cursor=${cursor}&limit=2`);
      expect(first.reset).toBe(true);
      expect(ids(first.events)).toEqual(ids(whole).slice(0, 2));
    }
    const existing = await admin().get<EventFeedAnswer>('/events/acme?limit=1');
    expect(existing.reset).toBe(false);
  });

  it('refuses what is no cursor, and a limit of 0 and 501', async () => {
    for (const query of ['cursor=abc', 'cursor=1.2.3', 'limit=0', 'limit=501', `cursor=${fresh('x')}`]) {
      const { errors } = await admin().expect<{ errors: object }>(400, 'GET', `/events/acme?${query}`);
      expect(Object.keys(errors)).toEqual([query.split('=')[0]]);
    }
  });
});
