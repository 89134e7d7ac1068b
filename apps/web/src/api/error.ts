import { wordsOfProblem } from './problems.ts';

/** An error answer of the API. `status` is 0 if the API could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  /** One text for each wrong field, in words. */
  readonly fields: Readonly<Record<string, string>>;
  /** The id of the request, by which it can be found in the service's log. */
  readonly requestId: string | null;

  constructor(
    status: number,
    message: string,
    fields: Readonly<Record<string, string>> = {},
    requestId: string | null = null,
  ) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.requestId = requestId;
  }
}

/** Makes the error of an answer. A body that is not an error of the API, such as a proxy's page, is left out. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const { message, errors } = (body ?? {}) as { message?: unknown; errors?: Record<string, string> };
  const text = typeof message === 'string' ? message : `The service answered ${response.status}.`;
  const fields = Object.entries(errors ?? {}).map(([field, problem]) => [field, wordsOfProblem(problem)] as const);
  return new ApiError(response.status, text, Object.fromEntries(fields), response.headers.get('x-request-id'));
}
