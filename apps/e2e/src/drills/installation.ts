import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import { type EngineName, type LocalServer, localServer } from '@assurance/testing/engines/local-server';
import { MongoClient } from 'mongodb';
import { Caller } from '../support/caller';
import { Contract } from '../support/contract';
import { Place } from '../support/process';
import type { Settings } from '../support/running';
import type { App } from '../support/services';
import { Service } from './service';

const WRITER_KEY = 'drill-writer-key';
export const READER_KEY = 'drill-reader-key';
/** A bootstrap file that the release before takes too. */
const BOOTSTRAP = `
users:
  - { name: writer, email: writer@example.com, api_keys: [{ key: ${WRITER_KEY}, description: drill }] }
  - { name: reader, email: reader@example.com, api_keys: [{ key: ${READER_KEY}, description: drill }] }
organizations:
  - { name: acme, members: [{ user: writer, role: admin }, { user: reader, role: member }] }
`;

/** Two processes of each service and one that makes audit packages, on servers that can be killed. */
export class Installation {
  readonly place = new Place();
  readonly servers: LocalServer[] = [];
  readonly services: Readonly<Record<'gateway' | 'ingestion' | 'projection' | 'audit-package', Service[]>> = {
    gateway: [],
    ingestion: [],
    projection: [],
    'audit-package': [],
  };
  /** Of the gateways that clients call, in turn. */
  readonly urls: string[] = [];
  mongodbUrl = '';
  private turn = 0;

  /**
   * Starts MongoDB, Kafka, and more servers of these names; then the services.
   *
   * @param apps where the programs of the services are, below `apps`; those of this release unless given
   */
  async start(names: readonly EngineName[], apps?: string): Promise<void> {
    for (const name of names) this.servers.push(await localServer(name));
    const [mongodb, kafka] = this.servers;
    this.mongodbUrl = mongodb?.url.replace('/?', '/drills?') ?? '';
    const settings: Settings = {
      ...Object.assign({}, ...this.servers.map((server) => server.settings)),
      MONGODB_URL: this.mongodbUrl,
      KAFKA_BROKERS: kafka?.url ?? '',
      ASSURANCE_BOOTSTRAP_FILE: this.place.write('bootstrap.yaml', BOOTSTRAP),
      ASSURANCE_LOG_LEVEL: 'warn',
      ASSURANCE_PUBLIC_URL: 'http://localhost:1',
      ASSURANCE_SECRET: randomBytes(32).toString('hex'),
    };
    const begin = async (app: keyof typeof this.services & App, count: number, more: Settings = {}) => {
      const own = Array.from({ length: count }, () => new Service(app, this.place, { ...settings, ...more }, apps));
      this.services[app].push(...own);
      await Promise.all(own.map((service) => service.start()));
      return own.map(({ url }) => url);
    };
    const [ingestion, projection, packages] = await Promise.all([
      begin('ingestion', 2),
      begin('projection', 2),
      begin('audit-package', 1),
    ]);
    const addresses = {
      ASSURANCE_INGESTION_URL: ingestion.join(','),
      ASSURANCE_PROJECTION_URL: projection.join(','),
      ASSURANCE_AUDIT_PACKAGE_URL: packages.join(','),
    };
    this.urls.push(...(await begin('gateway', 2, addresses)));
  }

  /** All services; gateways are last. */
  get all(): readonly Service[] {
    const { ingestion, projection, 'audit-package': packages, gateway } = this.services;
    return [...ingestion, ...projection, ...packages, ...gateway];
  }

  /** The address of the next gateway. */
  nextUrl(): string {
    return this.urls[this.turn++ % this.urls.length] ?? '';
  }

  /** A client whose requests go to each gateway in turn. @param contract what answers are checked by; what the service documents unless given */
  async caller(contract?: Contract): Promise<Caller> {
    const [url = ''] = this.urls;
    return new Caller(url, contract ?? (await Contract.of(url)), `Bearer ${WRITER_KEY}`, () => this.nextUrl());
  }

  /** Opens MongoDB for as long as it is used. */
  async mongodb<T>(use: (client: MongoClient) => Promise<T>): Promise<T> {
    const client = new MongoClient(this.mongodbUrl, { runtimeAdapters: { os }, serverSelectionTimeoutMS: 10_000 });
    return use(client).finally(() => client.close());
  }

  /** Services first: they would wait for their servers. */
  async clear(): Promise<void> {
    await this.place.clear();
    await Promise.all(this.servers.map((server) => server.stop()));
  }
}
