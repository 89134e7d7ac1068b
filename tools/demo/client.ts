import { ask, type Service } from '../common/api.ts';

/** The demo cannot go on: its message, one sentence, is all that is shown. */
export class Stopped extends Error {}

export type Client = ReturnType<typeof client>;

/** Calls of one organization of the API. */
export function client(service: Service) {
  async function answer(method: string, path: string, body?: object) {
    const { status, text } = await ask(service, method, path, body);
    if (status === 401)
      throw new Stopped(`The service at ${service.url} does not know this key: give one with --key or KEY.`);
    if (status !== 403) return { status, text };
    throw new Stopped(
      `This key may not write to the organization ${service.org}: name another with --org, or take an administrator's key.`,
    );
  }

  async function need<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, text } = await answer(method, path, body);
    if (status === 0 || status >= 300) throw new Stopped(`${method} ${path} was answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  }

  return {
    put: <T = unknown>(path: string, body: object) => need<T>('PUT', path, body),
    post: (path: string, body: object) => need('POST', path, body),
    patch: (path: string, body: object) => need('PATCH', path, body),
    get: <T>(path: string) => need<T>('GET', path),
    /** Reads a thing; null if it does not exist. */
    async find<T>(path: string): Promise<T | null> {
      const { status, text } = await answer('GET', path);
      if (status === 404) return null;
      if (status !== 200) throw new Stopped(`GET ${path} was answered ${status}: ${text}`);
      return JSON.parse(text) as T;
    },
  };
}

/** @throws Stopped if no service answers at this address */
export async function mustAnswer(url: string): Promise<void> {
  const ready = await fetch(`${url.replace(/\/+$/, '')}/ready`).catch(() => null);
  if (ready?.status === 200) return;
  throw new Stopped(`No service is ready at ${url}: start one with \`npm start\`, or name another with --url.`);
}
