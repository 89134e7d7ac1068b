import type { Caller } from './caller';

/** An event of a connection that receives changes. */
export interface ChangeEvent {
  readonly event: string;
  readonly id: string;
  readonly data: {
    readonly changed?:
      readonly { readonly kind: string; readonly name: string | null; readonly flow?: string }[] | null;
  };
}

/** A connection that receives the changes of an organization. */
export class ChangesConnection {
  private unread = '';
  private readonly leaving = new AbortController();

  private constructor(
    private readonly reader: ReadableStreamDefaultReader<string>,
    leave: AbortController,
  ) {
    this.leaving = leave;
  }

  /** @throws Error unless it is let in */
  static async begin(
    caller: Caller,
    headers: Readonly<Record<string, string>> = {},
    org = 'acme',
  ): Promise<ChangesConnection> {
    const leave = new AbortController();
    const response = await caller.open(`/changes/${org}`, headers, leave.signal);
    if (response.status !== 200 || response.body === null) throw new Error(`following answered ${response.status}`);
    return new ChangesConnection(response.body.pipeThrough(new TextDecoderStream()).getReader(), leave);
  }

  /** The next event, comments passed over; null at the end. */
  async next(): Promise<ChangeEvent | null> {
    for (;;) {
      const end = this.unread.indexOf('\n\n');
      if (end >= 0) {
        const text = this.unread.slice(0, end);
        this.unread = this.unread.slice(end + 2);
        if (text.startsWith(':')) continue;
        const fields = Object.fromEntries(text.split('\n').map((line) => line.split(/: (.*)/s)));
        return { event: fields['event'], id: fields['id'], data: JSON.parse(fields['data']) } as ChangeEvent;
      }
      const { value, done } = await this.reader.read();
      if (done) return null;
      this.unread += value;
    }
  }

  /** Reads until an event about the given thing arrives. */
  async until(kind: string, name: string): Promise<ChangeEvent> {
    for (;;) {
      const message = await this.next();
      if (message === null) throw new Error('the connection ended');
      if (message.data.changed?.some((change) => change.kind === kind && change.name === name) === true) return message;
    }
  }

  leave(): void {
    this.leaving.abort();
  }
}
