/** The demo cannot go on: its message, one sentence, is all that is shown. */
export class Stopped extends Error {}

/**
 * Calls of one organization of the API.
 *
 * @param {{url: string, key: string, org: string}} service `url` without `/api/v2`
 */
export function client({ url, key, org }) {
  const base = `${url.replace(/\/+$/, '')}/api/v2`;

  async function call(method, path, body) {
    const json = body !== undefined && !(body instanceof FormData);
    const headers = { authorization: `Bearer ${key}`, ...(json ? { 'content-type': 'application/json' } : {}) };
    const sent = json ? JSON.stringify(body) : body;
    const answer = await fetch(`${base}${path.replace('{org}', encodeURIComponent(org))}`, {
      method,
      headers,
      body: sent,
    });
    const text = await answer.text();
    if (answer.status === 401)
      throw new Stopped(`The service at ${url} does not know this key: give one with --key or KEY.`);
    if (answer.status === 403) {
      throw new Stopped(
        `This key may not write to the organization ${org}: name another with --org, or take an administrator's key.`,
      );
    }
    return { status: answer.status, text };
  }

  async function need(method, path, body) {
    const { status, text } = await call(method, path, body);
    if (status >= 300) throw new Stopped(`${method} ${path} was answered ${status}: ${text}`);
    return JSON.parse(text);
  }

  return {
    put: (path, body) => need('PUT', path, body),
    post: (path, body) => need('POST', path, body),
    patch: (path, body) => need('PATCH', path, body),
    get: (path) => need('GET', path),
    /** Reads a thing; null if it does not exist. */
    async find(path) {
      const { status, text } = await call('GET', path);
      if (status === 404) return null;
      if (status !== 200) throw new Stopped(`GET ${path} was answered ${status}: ${text}`);
      return JSON.parse(text);
    },
  };
}

/**
 * A form of one field of JSON and, where there is one, a file.
 *
 * @param {{field?: string, file?: [field: string, name: string, text: string]}} parts `field` is `data_json` unless given
 */
export function form(data, { field = 'data_json', file } = {}) {
  const made = new FormData();
  made.set(field, JSON.stringify(data));
  if (file !== undefined) made.set(file[0], new Blob([file[2]], { type: 'application/octet-stream' }), file[1]);
  return made;
}

/** @throws Stopped if no service answers at this address */
export async function mustAnswer(url) {
  const ready = await fetch(`${url.replace(/\/+$/, '')}/ready`).catch(() => null);
  if (ready?.status !== 200) {
    throw new Stopped(`No service is ready at ${url}: start one with \`npm start\`, or name another with --url.`);
  }
}
