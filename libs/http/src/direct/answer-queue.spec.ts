import { setImmediate as turn } from 'node:timers/promises';
import { writeSoon } from './answer-queue';

describe('answers', () => {
  it('are written in their order once this turn has made all of them', async () => {
    const written: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      writeSoon(() => written.push(i));
      await Promise.resolve();
    }
    expect(written).toEqual([]);
    await turn();
    expect(written).toEqual([0, 1, 2]);
  });

  it('do not wait for more than 63 others', () => {
    const written: number[] = [];
    for (let i = 0; i < 70; i += 1) writeSoon(() => written.push(i));
    expect(written).toEqual(Array.from({ length: 64 }, (_, i) => i));
  });

  it('that were left over are written too, and those that come while others are written', async () => {
    const written: string[] = [];
    for (let i = 0; i < 65; i += 1) {
      writeSoon(() => {
        written.push(`first ${i}`);
        if (i === 0) writeSoon(() => written.push('second'));
      });
    }
    await turn();
    await turn();
    expect(written.filter((chunk) => chunk.startsWith('first'))).toHaveLength(65);
    expect(written.filter((chunk) => chunk === 'second')).toHaveLength(1);
  });
});
