import { Kafka as binding, type CloudEvent } from 'cloudevents';
import { Kafka, logLevel } from 'kafkajs';
import { groupBy } from '@assurance/kernel';
import { publicEventTypes, wrongIn } from '@assurance/testing/public-events';
import { eventually } from './support/eventually';
import { Installation, ROLES } from './support/installation';
import { Place } from './support/process';
import { artifact, attach, digest, environment, flow, item, policy, post, PROVENANCE, report } from './support/samples';
import { servers } from './support/servers';
import { worldOf } from './support/world';

/** Published in many requests, so that a process can be killed between them. */
const LARGE = 10_000;
const OTHERS = ROLES.filter(({ name }) => name !== 'notification-dispatcher');

type ReceivedEvent = CloudEvent<Readonly<Record<string, unknown>>>;

/** Reads a topic as a program outside of the service does. */
class Reader {
  readonly heard: { readonly key: string; readonly event: ReceivedEvent }[] = [];
  private readonly consumer;

  constructor(brokers: string, topic: string) {
    const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
    this.consumer = kafka.consumer({ groupId: `${topic}-reader`, maxWaitTimeInMs: 100 });
  }

  async start(topic: string, onEach: (event: ReceivedEvent) => void): Promise<void> {
    await this.consumer.connect();
    await this.consumer.subscribe({ topics: [topic], fromBeginning: true });
    await this.consumer.run({
      eachMessage: ({ message: { key, value, headers } }) => {
        const contentType = String(headers?.['content-type']);
        const message = { key: String(key), value: String(value), headers: { 'content-type': contentType } };
        const event = binding.toEvent(message as never) as ReceivedEvent;
        this.heard.push({ key: String(key), event });
        onEach(event);
        return Promise.resolve();
      },
    });
  }

  stop(): Promise<void> {
    return this.consumer.disconnect();
  }
}

describe('events for other programs', () => {
  const settings = servers();
  const topic = `${settings['ASSURANCE_KAFKA_PREFIX']}public`;
  const installation = new Installation(settings);
  const place = new Place();
  const reader = new Reader(String(settings['KAFKA_BROKERS']), topic);
  afterAll(async () => {
    await reader.stop();
    await place.clear();
    await installation.clear();
    expect(installation.log).toEqual([]);
  }, 60_000);

  it('arrive on their topic at least once and as documented, although their publisher is killed', async () => {
    const others = await installation.start({}, OTHERS);
    const member = (await worldOf(others)).as('member');
    const [flowName, small] = [await flow(member), await environment(member)];
    await post(member, flowName, artifact(digest('a'), { trail_name: 'build' }));
    await report(member, small, [item({ web: digest('a') })]);
    await attach(member, small, await policy(member, PROVENANCE));
    await report(member, small, [item({ web: digest('b') })]);
    const form = new FormData();
    form.set('data_json', JSON.stringify({ attestation_name: 'scan', is_compliant: true }));
    await member.expect(201, 'POST', `/attestations/acme/${flowName}/trail/build/generic`, { form });
    const large = await environment(member);
    const many = Array.from({ length: LARGE }, (_, i) => item({ [`web-${i}`]: digest(`web-${i}`) }));
    await report(member, large, many);

    const dispatcher = () =>
      place.start(
        {
          ...settings,
          ASSURANCE_CLOUDEVENTS_TOPIC: topic,
          ASSURANCE_PUBLIC_URL: others.url,
          ASSURANCE_LOG_LEVEL: 'error',
          ASSURANCE_OPERATIONS_PORT: '0',
        },
        [],
        'notification-dispatcher',
      );
    const isOf = ({ type, data }: ReceivedEvent, env: string, what: string) =>
      type === `assurance.${what}.v1` && (data?.['environment'] as { name?: string } | undefined)?.name === env;
    const first = dispatcher();
    await first.url();
    const killed = new Promise<void>((resolve, reject) => {
      let isKilled = false;
      const look = (event: ReceivedEvent) => {
        if (isKilled || !isOf(event, large, 'artifact.started')) return;
        isKilled = true;
        first.kill().then(resolve, reject);
      };
      reader.start(topic, look).catch(reject);
    });
    await killed;
    const second = dispatcher();
    await second.url();

    const started = () => reader.heard.filter(({ event }) => isOf(event, large, 'artifact.started'));
    await eventually(
      () => Promise.resolve(new Set(started().map(({ event }) => event.id)).size),
      (result) => result === LARGE,
    );
    const [, port = ''] = /operations +http:\S+:(\d+)\n/.exec(second.out) ?? [];
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const lag = await eventually(
      async () => /^assurance_feed_lag_commits\{group="cloudevents"\} (\d+)$/m.exec(await metrics())?.[1],
      (left) => left === '0',
    );
    expect(lag).toBe('0');

    const byId = groupBy(reader.heard, ({ event }) => event.id);
    // Events that were published before the kill came again unchanged.
    expect(reader.heard.length).toBeGreaterThan(byId.size);
    for (const repeats of byId.values()) expect(new Set(repeats.map(({ event }) => event.toString())).size).toBe(1);
    const distinct = [...byId.values()].map(([sample]) => sample!);
    expect(new Set(distinct.map(({ key }) => key))).toEqual(new Set(['acme']));
    expect([...new Set(distinct.map(({ event }) => event.type))].sort()).toEqual(
      publicEventTypes().filter((type) => !type.includes('.settings.')),
    );
    const samples = groupBy(distinct, ({ event }) => `${event.type} ${event.subject}`);
    for (const [sample] of samples.values())
      expect(wrongIn({ type: sample!.event.type, data: sample!.event.data })).toEqual([]);
    const ofSmall = distinct.filter(({ event }) => event.subject?.startsWith(`environments/${small}/`));
    expect(ofSmall.map(({ event }) => [event.type, event.data?.['snapshot_index'], event.data?.['compliant']])).toEqual(
      [
        ['assurance.snapshot.recorded.v1', 1, null],
        ['assurance.artifact.started.v1', 1, null],
        ['assurance.snapshot.recorded.v1', 2, true],
        ['assurance.compliance.changed.v1', 2, true],
        ['assurance.snapshot.recorded.v1', 3, false],
        ['assurance.artifact.started.v1', 3, false],
        ['assurance.artifact.exited.v1', 3, undefined],
        ['assurance.compliance.changed.v1', 3, false],
      ],
    );
    expect([await second.stop(), second.err]).toEqual([0, '']);
  }, 180_000);

  it('cannot use the topic of the records', async () => {
    const records = `${settings['ASSURANCE_KAFKA_PREFIX']}assurance.events.v1`;
    const env = { ...settings, ASSURANCE_CLOUDEVENTS_TOPIC: records, ASSURANCE_PUBLIC_URL: 'http://localhost:1' };
    const dispatcher = place.start({ ...env, ASSURANCE_OPERATIONS_PORT: '0' }, [], 'notification-dispatcher');
    expect(await dispatcher.ended).toBe(1);
    expect(dispatcher.err).toContain(
      `The topic ${records} carries the records of the service: choose another for events.`,
    );
  }, 60_000);
});
