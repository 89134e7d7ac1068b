import { ApiError, errorOf } from '../../api/error.ts';

/** Where requests go, and in whose name. */
export interface Service {
  /** The address that ends with `/api/v2`. */
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Takes the place of `{org}` in paths. */
  readonly org: string;
  /** Whether the organization is new, so that nothing has to be looked for. */
  readonly isNew?: boolean;
}

/**
 * Sends a request and returns the JSON of the answer.
 *
 * @param body a form, or what becomes JSON
 * @throws ApiError if the answer is no success, or none came
 */
export async function callApi<T>(
  { api, headers, org }: Service,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const json = body !== undefined && !(body instanceof FormData);
  const response = await fetch(api + path.replace('{org}', encodeURIComponent(org)), {
    method,
    headers: { ...headers, ...(json && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: json ? JSON.stringify(body) : (body as FormData) }),
  }).catch(() => {
    throw new ApiError(0, 'The service could not be reached.');
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as T;
}

/** Reads a thing; null if it does not exist, which is known in a new organization. */
export async function find<T>(service: Service, path: string): Promise<T | null> {
  if (service.isNew === true) return null;
  try {
    return await callApi<T>(service, 'GET', path);
  } catch (fault) {
    if (fault instanceof ApiError && fault.status === 404) return null;
    throw fault;
  }
}

/** A file of a form. */
export type FormFile = readonly [field: string, name: string, content: string | Uint8Array<ArrayBuffer>];

/** A form with JSON in one field and, where there is one, a file. */
export function form(data: object, { field = 'data_json', file }: { field?: string; file?: FormFile } = {}): FormData {
  const formData = new FormData();
  formData.set(field, JSON.stringify(data));
  if (file !== undefined) formData.set(file[0], new Blob([file[2]]), file[1]);
  return formData;
}
