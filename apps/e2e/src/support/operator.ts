import type { Outcome, Progress } from '@assurance/event-sourcing/operation';

/** The output of an operation, in order. */
export interface OperationOutput {
  readonly progress: readonly Progress[];
  /** How it ended; null when it was refused. */
  readonly outcome: Outcome | null;
  /** The sentence that refused it. */
  readonly error: string | null;
}

/** Where a process listens for operators. */
export interface AdminAddress {
  readonly url: string;
  readonly token: string;
}

/** Who keeps a running service, at its operations address. */
export class Operator {
  readonly address: AdminAddress;
  readonly addresses: readonly AdminAddress[];

  /** @param addresses of every process; the others are asked for what the first does not know, or when it has stopped */
  constructor(...addresses: readonly AdminAddress[]) {
    const [address] = addresses;
    if (address === undefined) throw new Error('an operator needs an address');
    this.address = address;
    this.addresses = addresses;
  }

  /** Runs an operation to its end. */
  async run(name: string, ...args: readonly string[]): Promise<OperationOutput> {
    const response = await this.started(name, args);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${name} was answered with ${response.status} ${text}`);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Partial<Record<keyof OperationOutput, never>>);
    const { outcome = null, error = null } = lines.at(-1) ?? {};
    return { progress: lines.flatMap(({ progress }) => progress ?? []), outcome, error };
  }

  /** Signs a checkpoint now. Packages contain the first one that holds their commits: without this, it may be signed between two reads. */
  async checkpoint(): Promise<void> {
    const { outcome } = await this.run('checkpoint');
    if (outcome?.ok !== true) throw new Error(`no checkpoint was signed: ${JSON.stringify(outcome)}`);
  }

  private async started(name: string, args: readonly string[]): Promise<Response> {
    let cause: unknown;
    for (const { token, url } of this.addresses) {
      try {
        const response = await this.send('POST', `/operations/${name}`, { args }, token, url);
        if (response.status !== 404) return response;
        await response.body?.cancel();
      } catch (stopped) {
        cause = stopped;
      }
    }
    throw new Error(`no process knows the operation ${name}`, { cause });
  }

  /** @param token null: none */
  send(
    method: string,
    path: string,
    json?: unknown,
    token: string | null = this.address.token,
    url = this.address.url,
  ): Promise<Response> {
    return fetch(url + path, {
      method,
      // A kept connection may be closed by the process while a busy spec sends its next request.
      headers: { connection: 'close', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      body: json === undefined ? undefined : JSON.stringify(json),
    });
  }
}
