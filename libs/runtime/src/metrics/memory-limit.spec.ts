import { memoryLimit } from './memory-limit';

const GIB = 1024 ** 3;

describe('the limit of memory', () => {
  it('is that of the control group, and none where nothing limits the process', () => {
    expect(memoryLimit(GIB, 8 * GIB)).toBe(GIB);
    expect([memoryLimit(0, 8 * GIB), memoryLimit(2 ** 63, 8 * GIB), memoryLimit(8 * GIB, 8 * GIB)]).toEqual(
      Array(3).fill(null),
    );
  });
});
