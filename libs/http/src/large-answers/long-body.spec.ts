import { waitToSend } from './long-body';

describe('pieces of long answers', () => {
  it('are sent a few in each turn of the event loop, in the order in which they came', async () => {
    const sent: number[] = [];
    const numbers = Array.from({ length: 10 }, (_, i) => i);
    const all = Promise.all(numbers.map((i) => waitToSend().then(() => sent.push(i))));
    const counts: number[] = [];
    while (sent.length < numbers.length) {
      await new Promise((resolve) => setImmediate(resolve));
      counts.push(sent.length);
    }
    await all;
    expect([counts, sent]).toEqual([[4, 8, 10], numbers]);
  });
});
