import type { Outcome, Progress } from '@assurance/http';

/** What a run of an operation told, in its order. */
export interface Run {
  readonly progress: readonly Progress[];
  /** How it ended; null when it was refused. */
  readonly outcome: Outcome | null;
  /** The sentence that refused it. */
  readonly error: string | null;
}

/** Who keeps a running service, at its operations address. */
export class Operator {
  constructor(readonly door: { readonly url: string; readonly token: string }) {}

  /** Runs an operation to its end. */
  async run(name: string, ...args: readonly string[]): Promise<Run> {
    const response = await this.send('POST', `/operations/${name}`, { args });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${name} was answered with ${response.status} ${text}`);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Partial<Record<keyof Run, never>>);
    const { outcome = null, error = null } = lines.at(-1) ?? {};
    return { progress: lines.flatMap(({ progress }) => progress ?? []), outcome, error };
  }

  /** @param token null: none */
  send(method: string, path: string, json?: unknown, token: string | null = this.door.token): Promise<Response> {
    return fetch(this.door.url + path, {
      method,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      body: json === undefined ? undefined : JSON.stringify(json),
    });
  }
}
