import type { Outcome, Progress } from '@assurance/http';

/** What a run of an operation told, in its order. */
export interface Run {
  readonly progress: readonly Progress[];
  /** How it ended; null when it was refused. */
  readonly outcome: Outcome | null;
  /** The sentence that refused it. */
  readonly error: string | null;
}

/** Where a process hears operators. */
export interface Door {
  readonly url: string;
  readonly token: string;
}

/** Who keeps a running service, at its operations address. */
export class Operator {
  readonly door: Door;
  readonly doors: readonly Door[];

  /** @param doors of every process; what the first does not know is asked for at the others */
  constructor(...doors: readonly Door[]) {
    const [door] = doors;
    if (door === undefined) throw new Error('an operator needs a door');
    this.door = door;
    this.doors = doors;
  }

  /** Runs an operation to its end. */
  async run(name: string, ...args: readonly string[]): Promise<Run> {
    const response = await this.started(name, args);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${name} was answered with ${response.status} ${text}`);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Partial<Record<keyof Run, never>>);
    const { outcome = null, error = null } = lines.at(-1) ?? {};
    return { progress: lines.flatMap(({ progress }) => progress ?? []), outcome, error };
  }

  private async started(name: string, args: readonly string[]): Promise<Response> {
    for (const door of this.doors) {
      const response = await this.send('POST', `/operations/${name}`, { args }, door.token, door.url);
      if (response.status !== 404) return response;
      await response.body?.cancel();
    }
    throw new Error(`no process knows the operation ${name}`);
  }

  /** @param token null: none */
  send(
    method: string,
    path: string,
    json?: unknown,
    token: string | null = this.door.token,
    url = this.door.url,
  ): Promise<Response> {
    return fetch(url + path, {
      method,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      body: json === undefined ? undefined : JSON.stringify(json),
    });
  }
}
