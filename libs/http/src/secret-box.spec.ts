import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { secretBox, SecretUnreadable } from './secret-box';

const OLD = 'the secret of the installation until today';
const NEW = 'the secret of the installation from today on';
const before = secretBox([OLD], randomBytes);
const during = secretBox([NEW, OLD], randomBytes);
const after = secretBox([NEW], randomBytes);

describe('a secret box', () => {
  it('opens whatever it sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
        expect(before.open(before.seal(plain, context), context)).toBe(plain);
      }),
    );
  });

  it('shows nothing of it, and never the same twice', () => {
    const [firstSecret, secondSecret] = [
      before.seal('https://hooks.example.com/T0/secret', 'a'),
      before.seal('x', 'a'),
    ];
    expect(firstSecret).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(firstSecret.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('hooks');
    expect(secondSecret).not.toBe(before.seal('x', 'a'));
  });

  it('opens only where it belongs', () => {
    expect(() => before.open(before.seal('x', 'a'), 'b')).toThrow(SecretUnreadable);
  });

  it('opens nothing that was changed in any bit, or cut short', () => {
    const [form, id, text = ''] = before.seal('secret', 'a').split('.');
    const bytes = Buffer.from(text, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const other = Buffer.from(bytes);
      other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => before.open([form, id, other.toString('base64url')].join('.'), 'a')).toThrow(SecretUnreadable);
    }
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = bytes.subarray(0, length).toString('base64url');
      expect(() => before.open([form, id, cut].join('.'), 'a')).toThrow(SecretUnreadable);
    }
    for (const other of ['', 'secret', `v2.${id}.${text}`]) {
      expect(() => before.open(other, 'a')).toThrow('form');
    }
  });

  it('opens under the previous secret while it is there, seals under the present one, and says what is left to seal', () => {
    const old = before.seal('x', 'a');
    expect(during.open(old, 'a')).toBe('x');
    expect([before, during, after].map((box) => box.isOutdated(old))).toEqual([false, true, true]);
    const again = during.seal(during.open(old, 'a'), 'a');
    expect(during.isOutdated(again)).toBe(false);
    expect(after.open(again, 'a')).toBe('x');
    expect(() => after.open(old, 'a')).toThrow('ASSURANCE_PREVIOUS_SECRET');
    expect(() => before.open(again, 'a')).toThrow(SecretUnreadable);
  });
});
