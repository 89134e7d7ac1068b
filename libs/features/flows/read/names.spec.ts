import { nameRow } from './names';

const words = (name: string) =>
  Object.entries(nameRow('o1', name)).flatMap(([key, text]) => (key === 'org' ? [] : text));

describe('the words of a name that an index finds', () => {
  it('are the name and what follows each separator, in lower case; a version is one word', () =>
    expect(words('ghcr.io/Shop/web_api:1.12.0-rc1')).toEqual([
      'ghcr.io/shop/web_api:1.12.0-rc1',
      'io/shop/web_api:1.12.0-rc1',
      'shop/web_api:1.12.0-rc1',
      'web_api:1.12.0-rc1',
      'api:1.12.0-rc1',
      '1.12.0-rc1',
      'rc1',
    ]));

  it('are the last nine of many', () =>
    expect(words('a b c d e f g h i j k l')).toEqual([
      'a b c d e f g h i j k l',
      'd e f g h i j k l',
      'e f g h i j k l',
      'f g h i j k l',
      'g h i j k l',
      'h i j k l',
      'i j k l',
      'j k l',
      'k l',
      'l',
    ]));

  it('are kept up to 40 characters, without halves of characters', () => {
    expect(words(`${'x'.repeat(50)}/y`)).toEqual(['x'.repeat(40), 'y']);
    expect(words(`${'x'.repeat(39)}😀`)).toEqual([`${'x'.repeat(39)}\ufffd`]);
  });

  it('begin with the name, whatever that is', () => {
    expect(words('')).toEqual(['']);
    expect(words('--')).toEqual(['--']);
    expect(words('-édition')).toEqual(['-édition', 'édition']);
  });
});
