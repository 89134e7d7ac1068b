import { ecosystemOf } from './ecosystem';

describe('the ecosystem of a type of package URLs', () => {
  it.each(['npm', 'maven', 'pypi', 'golang', 'deb', 'rpm', 'apk', 'gem', 'nuget', 'cargo', 'composer'])(
    'is the one with its name: %s',
    (type) => {
      expect(ecosystemOf(type)).toBe(type);
      expect(ecosystemOf(type.toUpperCase())).toBe(type);
    },
  );

  it.each(['generic', 'github', 'oci', 'swift', '', 'constructor', '__proto__'])(
    'is generic for others: %j',
    (type) => {
      expect(ecosystemOf(type)).toBe('generic');
    },
  );
});
