import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Documents } from '@assurance/storage-ports';
import { BackgroundPacer, pacedDocuments } from './pace';

describe('turns of long work', () => {
  it('come one at a time, in the order in which they were asked for, with others between', async () => {
    const pace = new BackgroundPacer(() => 0);
    const order: string[] = [];
    let over = false;
    const others = (async () => {
      while (!over) {
        await setImmediate();
        if (order.at(-1) !== 'others') order.push('others');
      }
    })();
    await Promise.all(['a', 'b', 'c'].map((name) => pace.nextPiece().then(() => order.push(name))));
    over = true;
    await others;
    expect(order.filter((entry) => entry !== 'others')).toEqual(['a', 'b', 'c']);
    for (const name of ['b', 'c']) expect(order[order.indexOf(name) - 1]).toBe('others');
  });

  it('come later where others need their time', async () => {
    // Each read of this clock adds 20 ms, as if other work had taken them.
    let now = 0;
    const turn = new BackgroundPacer(() => (now += 20)).nextPiece();
    expect(await Promise.race([turn.then(() => 'turn'), setTimeout(20, 'others')])).toBe('others');
    await turn;
  });
});

it('opens a collection once, so that views remember what they read of it', () => {
  const collection = { get: () => Promise.resolve(null) };
  const documents = pacedDocuments(
    { collection: () => collection } as unknown as Documents,
    new BackgroundPacer(() => 0),
  );
  const [one, other] = [
    { name: 'one', indexes: [] },
    { name: 'other', indexes: [] },
  ];
  expect(documents.collection(one)).toBe(documents.collection(one));
  expect(documents.collection(one)).not.toBe(documents.collection(other));
});
