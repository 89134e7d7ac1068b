import { safeUrl } from './safe-url';

describe('addresses that came from outside', () => {
  it.each(['http://example.com/', 'https://example.com/a?b=c#d'])('leads to %s', (text) => {
    expect(safeUrl(text)).toBe(text);
  });

  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '//example.com',
    'not an address',
    '',
  ])('leads nowhere for %j', (text) => {
    expect(safeUrl(text)).toBeNull();
  });
});
