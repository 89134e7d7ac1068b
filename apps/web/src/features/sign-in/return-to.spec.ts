import { returnTo } from './return-to';

describe('where signing in leads', () => {
  it.each([
    ['/acme/environments?tab=events', '/acme/environments?tab=events'],
    ['/', '/'],
    [null, '/'],
    ['https://evil.example', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/.//evil.example', '/'],
    ['javascript:alert(1)', '/'],
  ])('is for %j the page %s', (address, page) => {
    expect(returnTo(address)).toBe(page);
  });
});
