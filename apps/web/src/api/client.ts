import createFetchClient, { type Middleware } from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import type { components, paths } from '../../generated/api';
import { ApiError, errorOf } from './error';

export type Schemas = components['schemas'];

/** The base path of the pages: `/`, or for example `/assurance/`. The `<base>` of the entry page sets it. */
export const BASE = new URL('.', document.baseURI).pathname;
/** The address of the API. */
export const API = `${BASE}api/v2`;

/** Marks requests of the pages. The service treats a request with the cookie but without this header as forged. */
export const PAGE = { 'X-Assurance-Page': '1' };

/** The routes and parameters of lists that go on after the page that came last. */
const unfinished = new Set<string>();
const nameOf = (path: string, params: object) => JSON.stringify([path, params]);

/** Whether a list without a total goes on after a page that was read. */
export const hasNext = (path: string, params: object): boolean => unfinished.has(nameOf(path, params));

const failureMiddleware: Middleware = {
  async onResponse({ response, schemaPath, params }) {
    if (!response.ok) throw await errorOf(response);
    const isUnfinished = response.headers.get('link')?.includes('rel="next"') === true;
    unfinished[isUnfinished ? 'add' : 'delete'](nameOf(schemaPath, params));
  },
  onError({ error }) {
    return error instanceof ApiError ? error : new ApiError(0, 'The service could not be reached.');
  },
};

/** The API, typed by its OpenAPI document. Every status other than 2xx is thrown as an `ApiError`. */
export const api = createFetchClient<paths>({
  baseUrl: new URL(API, location.href).href,
  credentials: 'same-origin',
  headers: PAGE,
  // Names of flows, trails and repositories may contain slashes and other special characters.
  pathSerializer: (pathname, values) =>
    pathname.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? ''))),
});
api.use(failureMiddleware);

/** The API for components: `query.useSuspenseQuery('get', '/flows/{org}', { params })`. */
export const query = createQueryClient(api);

/** The address of a file below the API, for links. */
export const fileUrl = (...parts: readonly string[]): string => [API, ...parts.map(encodeURIComponent)].join('/');

/** The answer of a request that the OpenAPI document does not describe as JSON: sign-in with a key, or a form with a file. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(`${API}${path}`, {
    credentials: 'same-origin',
    ...init,
    headers: { ...PAGE, ...(init.headers as Record<string, string> | undefined) },
  }).catch(() => {
    throw new ApiError(0, 'The service could not be reached.');
  });
  if (!response.ok) throw await errorOf(response);
  return response;
}
