import fc from 'fast-check';

/**
 * Any character but halves of surrogate pairs. As the `unit` of a string it is what fast-check calls `binary`, for which fast-check fills a map of
 * all characters first: 0.7 s of CPU time in each file.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(String.fromCodePoint, (text) => {
    const [first = '', ...rest] = typeof text === 'string' ? text : '';
    if (first === '' || rest.length > 0) throw new Error('it is not one character');
    return first.codePointAt(0) ?? 0;
  });
