import { freshSecret } from './fresh-secret';

it('makes secrets of 43 characters that begin with a letter, whatever is random', () => {
  for (let first = 0; first < 256; first += 1) {
    const secret = freshSecret({ random: (bytes) => new Uint8Array(bytes).fill(first) });
    expect(secret).toMatch(/^[A-Za-z][\w-]{42}$/);
  }
});
