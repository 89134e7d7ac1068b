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
