/** The result of a controller's method. Status and body are sent unchanged. */
export class Answer {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/**
 * The answer of a route. The body is sent as JSON, also a text (`"OK"`), except by routes with plain-text answers.
 *
 * @param headers lower-case names
 */
export function answer(status: number, body: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return new Answer(status, body, headers);
}
