import { setTimeout as sleep } from 'node:timers/promises';
import { freshKafka } from '@assurance/testing/engines/kafka';
import { openKafka } from './open-kafka';

it('an idle connection sets no timer each millisecond', async () => {
  const negative: Error[] = [];
  const warned = (warning: Error) => void (warning.name === 'TimeoutNegativeWarning' && negative.push(warning));
  process.on('warning', warned);
  const kafka = await openKafka({ ...freshKafka(), onFault: () => undefined });
  try {
    await kafka.feed.consume('group', () => Promise.resolve(), { maxBatch: 10 });
    const set = jest.spyOn(global, 'setTimeout');
    await sleep(1_000);
    // A fetch takes 300 ms at least, and a heartbeat is sent once a second.
    expect(set.mock.calls.length).toBeLessThan(50);
    expect(negative).toEqual([]);
  } finally {
    process.off('warning', warned);
    jest.restoreAllMocks();
    await kafka.close();
  }
}, 30_000);
