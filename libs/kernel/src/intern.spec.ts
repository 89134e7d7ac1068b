import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { intern } from './intern';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe('interned texts', () => {
  it.each(['', '7', '__proto__', 'web\n🚀', 'a'.repeat(64)])('are equal to the given ones: %j', (text) => {
    expect(intern(text)).toBe(text);
  });

  it('need memory once', () => {
    const [count, length] = [2_000, 5_000];
    // Joined at run time, so that the texts do not share memory.
    const text = (i: number) => Buffer.from(`${i % 2}`.repeat(length)).toString();
    collect();
    const before = process.memoryUsage().heapUsed;
    const internedTexts = Array.from({ length: count }, (_, i) => intern(text(i)));
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan((count * length) / 5);
    expect(new Set(internedTexts).size).toBe(2);
  });
});
