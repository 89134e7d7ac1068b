/** An error answer of the API; `status` 0 if the API could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** One text a field, where fields are wrong. */
    readonly fields: Readonly<Record<string, string>> = {},
    /** Of the answer: finds the request in the service's log. */
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

/** The error of an answer; a body that is no error of the API, such as a proxy's page, is left out. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const { message, errors } = (body ?? {}) as { message?: unknown; errors?: Record<string, string> };
  const text = typeof message === 'string' ? message : `The service answered ${response.status}.`;
  return new ApiError(response.status, text, errors ?? {}, response.headers.get('x-request-id'));
}
