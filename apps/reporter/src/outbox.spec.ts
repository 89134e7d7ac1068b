import { Outbox, type Outcome } from './outbox';

describe('the outbox', () => {
  it('keeps the last state only, and sends it until it is taken', async () => {
    const sent: number[] = [];
    const begun = deferred<void>();
    const answered = deferred<Outcome>();
    const outbox = new Outbox<number>(async (state) => {
      sent.push(state);
      begun.resolve();
      return sent.length === 1 ? answered.promise : { kind: 'sent' };
    }, new AbortController().signal);
    outbox.put(1);
    await begun.promise;
    outbox.put(2);
    outbox.put(3);
    answered.resolve({ kind: 'again', afterMs: 0 });
    expect(await outbox.waitUntilSent()).toBe(true);
    expect(sent).toEqual([1, 3]);
  });

  it('sends a newer state after a refusal, and none twice', async () => {
    const sent: string[] = [];
    const outbox = new Outbox<string>(async (state) => {
      sent.push(state);
      return Promise.resolve({ kind: 'refused' });
    }, new AbortController().signal);
    outbox.put('a');
    await outbox.waitUntilSent();
    outbox.put('b');
    expect(await outbox.waitUntilSent()).toBe(true);
    expect(sent).toEqual(['a', 'b']);
  });

  it.each([
    [0, 1],
    [30_000, 2],
  ])('tries again for %d ms from its first attempt', async (retryMs, attempts) => {
    let sent = 0;
    const send = async (): Promise<Outcome> => {
      sent += 1;
      return Promise.resolve({ kind: 'again', afterMs: sent === 1 ? 20 : 30_000 });
    };
    const outbox = new Outbox<string>(send, new AbortController().signal, retryMs);
    outbox.put('a');
    expect(await outbox.waitUntilSent()).toBe(false);
    expect(sent).toBe(attempts);
  });

  it('gives up when it is told to end', async () => {
    const stop = new AbortController();
    const outbox = new Outbox<string>(async () => {
      stop.abort();
      return Promise.resolve({ kind: 'again', afterMs: null });
    }, stop.signal);
    outbox.put('a');
    expect(await outbox.waitUntilSent()).toBe(false);
  });
});

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}
