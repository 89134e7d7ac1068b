import { byteLength } from '@assurance/kernel';
import { FEED_BATCH_BYTES_MAX } from '@assurance/storage-ports';
import { appendAll, makeEvent, makeStream } from '../harness';
import { listening, type Ports, until } from './listener';

const LARGE = 'x'.repeat(220_000);

export function bounds(ports: Ports): void {
  const listen = listening(ports);

  it('puts at most maxBatch commits into a batch, and never none', async () => {
    const commits = makeStream(Array.from({ length: 10 }, () => ({})));
    await appendAll(ports().events, commits);
    for (const maxBatch of [1, 3]) {
      const listener = await listen({ maxBatch });
      await until(() => listener.heard(commits));
      const sizes = listener.batches.map(({ length }) => length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBatch);
      expect(Math.min(...sizes)).toBeGreaterThan(0);
    }
  });

  it(`puts at most ${FEED_BATCH_BYTES_MAX} bytes into a batch beyond its first commit`, async () => {
    const commits = makeStream(Array.from({ length: 45 }, () => ({ events: [makeEvent(LARGE)] })));
    await appendAll(ports().events, commits);
    const listener = await listen({ maxBatch: 1_000 });
    await until(() => listener.heard(commits));
    for (const [, ...rest] of listener.batches) {
      const bytes = rest.reduce((sum, commit) => sum + byteLength(JSON.stringify(commit)), 0);
      expect(bytes).toBeLessThanOrEqual(FEED_BATCH_BYTES_MAX);
    }
  });
}
