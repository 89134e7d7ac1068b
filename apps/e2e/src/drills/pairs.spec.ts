import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { LocalServer } from '@assurance/testing/engines/local-server';
import { eventually } from '../support/eventually';
import { digest, flowForm } from '../support/samples';
import type { Clients } from './clients';
import { installed, limitMs, REPORTS, SECONDS, times } from './drill';
import { Kubelet, timesOf, unreadyAfter } from './kubelet';

const PAGE = join(__dirname, '../../../../docs/operating/reliability.md');
/** How long a supervisor takes to restart a dead process (milliseconds). */
const RESTART_MS = 1_000;
/** How long a restored bucket may take (milliseconds). */
const PATIENCE_MS = 120_000;
const MONGODB_AWAY = '/ready: 503 MongoDB does not answer';

describe('two of every service on MongoDB, Kafka and a bucket lose and double no report while', () => {
  const { installation, drill } = installed(['mongodb-secured', 'kafka-secured', 's3']);
  const server = (name: 'mongodb' | 'kafka' | 'bucket'): LocalServer =>
    installation.servers[['mongodb', 'kafka', 'bucket'].indexOf(name)]!;
  const often = times(5);

  /** Breaks something as often as the form of the drill says, at different moments of its work, each time after further reports. */
  const again = (breaks: (clients: Clients, i: number) => Promise<unknown>) =>
    drill(async (clients) => {
      for (let i = 0; i < often; i += 1) {
        await clients.more(REPORTS);
        await setTimeout(Math.random() * 100);
        await breaks(clients, i);
      }
      await clients.more(REPORTS);
    });

  it.each(['ingestion', 'projection'] as const)(
    'an instance of %s is killed',
    (role) =>
      again(async (_, i) => {
        const service = installation.services[role][i % 2];
        await service?.kill();
        await setTimeout(RESTART_MS);
        await service?.start();
      }),
    limitMs(often),
  );

  it(
    'mongodb is killed',
    () =>
      again(async (clients) => {
        await server('mongodb').kill();
        await clients.during(server('mongodb').start());
      }),
    limitMs(often),
  );

  /** Suspends a server with its connections open, as if the network dropped all packets. */
  const paused = async (name: 'kafka' | 'mongodb', meanwhile: () => Promise<unknown>): Promise<void> => {
    process.kill(server(name).pid(), 'SIGSTOP');
    await meanwhile().finally(() => process.kill(server(name).pid(), 'SIGCONT'));
  };

  const killed = async (name: 'kafka', meanwhile: () => Promise<unknown>): Promise<void> => {
    await server(name).kill();
    await meanwhile().finally(() => server(name).start());
  };

  /** Probes all services while something breaks and until it is over. */
  const probed = async (breaks: (kubelets: readonly Kubelet[]) => Promise<void>): Promise<readonly Kubelet[]> => {
    const kubelets = installation.all.map((service) => new Kubelet(service));
    await breaks(kubelets).finally(() => Promise.all(kubelets.map((kubelet) => kubelet.stop())));
    return kubelets;
  };

  /** Takes Kafka away for longer than a service may fail its probes. Reports are accepted meanwhile, and no probe fails. Returns the figures. */
  const withoutKafka = async (clients: Clients, away: typeof paused | typeof killed): Promise<string> => {
    const before = clients.acknowledged.length;
    const seconds = Math.max(SECONDS, unreadyAfter());
    const kubelets = await probed(() => away('kafka', () => clients.during(setTimeout(seconds * 1_000))));
    const meanwhile = clients.acknowledged.length - before;
    expect(kubelets.flatMap(({ failures }) => failures)).toEqual([]);
    expect(kubelets.every(({ isReady, isKilled }) => isReady && !isKilled)).toBe(true);
    const times = ['/live', '/ready', '/metrics'].map((path) => [path, ...timesOf(kubelets, path)] as const);
    // On a busy machine `/live`, which looks at nothing, takes its time too.
    const [[, busy]] = times as [(typeof times)[number]];
    for (const [, median] of times) expect(median).toBeLessThan(busy + 100);
    expect(meanwhile).toBeGreaterThan(seconds);
    const answers = times.map(([path, median, longest]) => `${path} in ${median} ms (at most ${longest})`);
    return [`${meanwhile} reports in ${seconds} s without Kafka`, ...answers].join('; ');
  };

  it(
    'kafka is killed, and services stay ready while it is away',
    () =>
      drill(async (clients) => {
        await clients.more(REPORTS);
        const note = await withoutKafka(clients, killed);
        for (let i = 1; i < often; i += 1) {
          await clients.more(REPORTS);
          await setTimeout(Math.random() * 100);
          await server('kafka').kill();
          await clients.during(server('kafka').start());
        }
        await clients.more(REPORTS);
        return note;
      }),
    limitMs(often),
  );

  it(
    'Kafka answers nothing: reports are accepted meanwhile, and services stay ready and tell their metrics',
    () =>
      drill(async (clients) => {
        await clients.more(REPORTS);
        const note = await withoutKafka(clients, paused);
        await clients.more(REPORTS);
        return note;
      }),
    limitMs(),
  );

  it(
    'MongoDB answers nothing, which is 503 if it lasts, and which services say when they are probed',
    () =>
      drill(async (clients) => {
        await clients.more(REPORTS);
        const kubelets = await probed(async (all) => {
          const haveSaid = () => all.every(({ failures }) => failures.some((text) => text.includes(MONGODB_AWAY)));
          await paused('mongodb', () =>
            clients.during(Promise.all([setTimeout(SECONDS * 1_000), eventually(haveSaid, Boolean)])),
          );
          expect(haveSaid()).toBe(true);
          await eventually(() => all.every(({ isReady }) => isReady), Boolean);
        });
        expect(kubelets.map(({ isReady, isKilled }) => isReady && !isKilled)).toEqual(kubelets.map(() => true));
        const others = kubelets
          .flatMap(({ failures }) => failures)
          .filter((text) => !/ready: 503 (MongoDB|the storage) /.test(text));
        expect(others).toEqual([]);
        await clients.more(REPORTS);
        // Services retry during a short failure.
        expect(clients.refused.get(503) ?? 0).toBeGreaterThanOrEqual(SECONDS < 30 ? 0 : 1);
      }),
    limitMs(),
  );

  /** The seconds since a moment, which are at most as many as the page says. */
  const within = (since: number, words: RegExp): string => {
    const [took, bound] = [(performance.now() - since) / 1_000, Number(words.exec(readFileSync(PAGE, 'utf8'))?.[1])];
    expect(took).toBeLessThanOrEqual(bound);
    return `RTO ${took.toFixed(1)} s of ${bound} s`;
  };

  /** Puts a copy of the data of a server in the place of its data. */
  const restore = async (name: 'mongodb' | 'bucket', copy: string): Promise<void> => {
    const data = join(server(name).folder, 'data');
    await server(name).kill();
    rmSync(data, { recursive: true });
    cpSync(copy, data, { recursive: true });
    await server(name).start();
  };

  it(
    'MongoDB is restored from a backup that is older than Kafka: later reports are gone, and there is no other loss',
    () =>
      drill(async (clients) => {
        await clients.more(REPORTS);
        await clients.unload();
        const copy = join(installation.place.folder, 'mongodb-backup');
        await installation.mongodb(async (client) => {
          await client.db('admin').command({ fsync: 1, lock: true });
          cpSync(join(server('mongodb').folder, 'data'), copy, { recursive: true });
          await client.db('admin').command({ fsyncUnlock: 1 });
        });
        const { environments } = clients;
        for (const name of [...environments, ...environments]) {
          await clients.report(name, digest(`${name} after the backup ${Math.random()}`));
        }
        const lost = performance.now();
        await Promise.all(installation.all.map((service) => service.kill()));
        await restore('mongodb', copy);
        const prefix = { ASSURANCE_KAFKA_PREFIX: `restored-${Math.round(lost)}.` };
        await Promise.all(installation.all.map((service) => service.start(prefix)));
        await Promise.all(environments.map((name) => clients.reportNext(name)));
        return within(lost, /in service again within (\d+) s/);
      }),
    limitMs(),
  );

  it(
    'the bucket is restored from a backup that is older than MongoDB: a later file is there when it is attached again',
    () =>
      drill(async (clients) => {
        const caller = await installation.caller();
        const trails = (name: string, count: number) =>
          Array.from({ length: count }, (_, i) => ({ trail: `${name}-${i}`, content: randomBytes(20_000) }));
        const [before, later, after] = [trails('before', 10), trails('later', 5), trails('after', 1)];
        const path = (trail: string) => `/attestations/acme/attached/trail/${trail}`;
        const attach = async (files: readonly { trail: string; content: Buffer }[]) => {
          for (const { trail, content } of files) {
            const form = new FormData();
            form.set('data_json', JSON.stringify({ attestation_name: 'scan', is_compliant: true }));
            form.append('attachment_file', new Blob([content as never]), 'scan.bin');
            await clients.insist('POST', `${path(trail)}/generic`, { form });
          }
        };
        const areThere = (files: readonly { trail: string; content: Buffer }[]): Promise<boolean[]> =>
          Promise.all(
            files.map(async ({ trail, content }) => {
              const [attestation] = await caller.get<AttestationAnswer[]>(`${path(trail)}/scan`);
              const evidence = `${path(trail)}/attestation/${attestation?.attestation_id}/evidence`;
              const file = await caller.bytes(evidence).catch(() => null);
              return file?.content.includes(content) === true;
            }),
          );
        await clients.insist('PUT', '/flows/acme/template_file', { form: flowForm({ name: 'attached' }) });
        await attach(before);
        const copy = join(installation.place.folder, 'bucket-backup');
        cpSync(join(server('bucket').folder, 'data'), copy, { recursive: true });
        await attach(later);

        const lost = performance.now();
        await restore('bucket', copy);
        const areAll = (all: readonly boolean[]) => all.every(Boolean);
        expect(await eventually(() => areThere(before), areAll, PATIENCE_MS)).toEqual(before.map(() => true));
        const note = within(lost, /Attachments can be read again within (\d+) s/);
        expect(await areThere(later)).toEqual(later.map(() => false));
        await attach([...later, ...after]);
        const files = [...before, ...later, ...after];
        expect(await areThere(files)).toEqual(files.map(() => true));
        await clients.more(REPORTS);
        return note;
      }),
    limitMs(),
  );
});
