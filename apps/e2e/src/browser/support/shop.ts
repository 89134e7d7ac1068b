import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeDemo } from '@assurance/web/demo';
import { eventually } from '../../support/eventually';
import { Place, type Process } from '../../support/process';
import { servers } from '../../support/servers';
import { startServices } from '../../support/services';
import { type Proxy, startProxy } from './proxy';

/** How long the first spec may take to make the demo (milliseconds). */
const FIRST_MS = 240_000;

const SETTINGS = { ASSURANCE_OPERATIONS_PORT: '0', ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8' };

export const DEPLOYMENTS = ['embedded', 'scaled'] as const;
export type Deployment = (typeof DEPLOYMENTS)[number];

interface FormFile {
  readonly field: string;
  readonly text: string;
}

/** A built service with the demo's data in an organization `admin`. */
export interface Shop {
  /** Where browsers find it, without a slash at the end. */
  readonly url: string;
  /** Of the administrator. */
  readonly key: string;
  /** Method and path of every request that came by the proxy before it; null without one. */
  readonly passed: readonly string[] | null;
  /** Asks the API with a key, the administrator's unless another is given. */
  ask<T>(method: string, path: string, body?: unknown, key?: string): Promise<T>;
  /** The same with a form: JSON, and the text of a file beside it where one is given. */
  form<T>(method: string, path: string, json: unknown, file?: FormFile): Promise<T>;
  stop(): Promise<void>;
}

/**
 * Starts a service and fills it: all roles in one process on the embedded engine; or scaled, each in a process of its own on MongoDB and
 * Kafka, with two gateways that a proxy asks in turn and below a path that it strips.
 */
export async function startShop(deployment: Deployment = 'embedded'): Promise<Shop> {
  const place = new Place();
  const proxy = deployment === 'scaled' ? await startProxy('/tools/assurance') : null;
  const stop = async () => {
    await proxy?.stop();
    await place.clear();
  };
  try {
    const { url, key } = proxy === null ? await startAlone(place) : await startScaled(place, proxy);
    if (proxy !== null) await fill(url, key);
    return { url, key, passed: proxy?.passed ?? null, ...callsOf(url, key), stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

interface StartedShop {
  readonly url: string;
  readonly key: string;
}

const fill = (url: string, key: string): Promise<void> =>
  makeDemo({ api: `${url}/api/v2`, headers: { authorization: `Bearer ${key}` }, org: 'admin' });

/** A service on a copy of the data that the first spec of the run made, as the demo takes most of the time of a start. */
async function startAlone(place: Place): Promise<StartedShop> {
  const shared = process.env['ASSURANCE_TEST_SHOP'] ?? '';
  const [data, key] = [join(shared, 'data'), join(shared, 'key')];
  if (makeFolder(join(shared, 'begun'))) await makeShared(data, key);
  else if (!(await eventually(() => existsSync(key), Boolean, FIRST_MS)))
    throw new Error('the first spec could not make the data of the demo');
  cpSync(data, join(place.folder, 'data'), { recursive: true });
  return { url: await place.start(SETTINGS).url(), key: readFileSync(key, 'utf8') };
}

/** Makes a folder. @returns false if another spec has made it */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}

async function makeShared(data: string, key: string): Promise<void> {
  const place = new Place();
  try {
    const service = place.start({ ...SETTINGS, ASSURANCE_DATA_DIR: data });
    await fill(await service.url(), keyOf(service));
    await service.stop();
    // Written at the end: others wait for it.
    writeFileSync(key, keyOf(service));
  } finally {
    await place.clear();
  }
}

async function startScaled(place: Place, proxy: Proxy): Promise<StartedShop> {
  const settings = { ...SETTINGS, ...servers(), ASSURANCE_PUBLIC_URL: proxy.url };
  const started: Process[] = [];
  const where = await startServices((app) => {
    const service = place.start(settings, [], app);
    started.push(service);
    return service.url();
  });
  const gateways = [1, 2].map(() => place.start({ ...settings, ...where }, [], 'gateway'));
  proxy.to(await Promise.all(gateways.map((gateway) => gateway.url())));
  return { url: proxy.url, key: started.map(keyOf).join('') };
}

/** Output of the first start of the service that takes commands; empty for the others. */
export const keyOf = ({ out }: Process): string => /shown only now:\s+(\S+)/.exec(out)?.[1] ?? '';

const callsOf = (url: string, own: string): Pick<Shop, 'ask' | 'form'> => ({
  ask: (method, path, body, key = own) =>
    answer(`${url}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  form: (method, path, json, file) => {
    const form = new FormData();
    form.set(file === undefined ? 'data_json' : 'payload', JSON.stringify(json));
    if (file !== undefined) form.set(file.field, new Blob([file.text]), 'file');
    return answer(`${url}/api/v2${path}`, { method, headers: { authorization: `Bearer ${own}` }, body: form });
  },
});

/** Asks again where the service is busy, when it says: on a slow machine, many writers at once wait longer than it lets them. */
async function answer<T>(address: string, init: RequestInit): Promise<T> {
  const response = await fetch(address, init);
  const text = await response.text();
  if (response.status === 429) {
    await setTimeout(1_000 * Number(response.headers.get('retry-after')));
    return answer(address, init);
  }
  if (!response.ok) throw new Error(`${init.method} ${address}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}
