import { wordRows, wordsOfCommit, wordsOfName } from './words';

describe('the words of a name that an index finds', () => {
  it('begin at each word and are in lower case; a version is one word', () =>
    expect(wordsOfName('ghcr.io/Shop/web_api:1.12.0-rc1')).toEqual([
      'ghcr.io/shop/web_api:1.12.0-rc1',
      'io/shop/web_api:1.12.0-rc1',
      'shop/web_api:1.12.0-rc1',
      'web_api:1.12.0-rc1',
      'api:1.12.0-rc1',
      '1.12.0-rc1',
      'rc1',
    ]));

  it('are the first and the last nine of many', () =>
    expect(wordsOfName('a b c d e f g h i j k l')).toEqual([
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
    expect(wordsOfName(`${'x'.repeat(50)}/y`)).toEqual(['x'.repeat(40), 'y']);
    expect(wordsOfName(`${'x'.repeat(39)}😀`)).toEqual([`${'x'.repeat(39)}\ufffd`]);
  });

  it('begin with a letter or a digit', () => {
    expect(['', '--'].flatMap(wordsOfName)).toEqual([]);
    expect(wordsOfName('-édition')).toEqual(['édition']);
  });
});

describe('the words of a commit that an index finds', () => {
  it('are those of the first line of its message, and of its author', () =>
    expect(
      wordsOfCommit({ message: '\nFix(cart): leak\r\n\nmore', author: 'Ada Lovelace <ada.l@example.com>' }),
    ).toEqual([
      'fix(cart): leak\r',
      'cart): leak\r',
      'leak\r',
      'ada lovelace <ada.l@example.com>',
      'lovelace <ada.l@example.com>',
      'ada.l@example.com>',
      'l@example.com>',
      'example.com>',
      'com>',
    ]));

  it('are the first 20 of the message and the first ten of the author', () => {
    const words = Array.from({ length: 30 }, (_, i) => `w${i}`).join(' ');
    const wordsOf = (commit: { message: string | null; author: string | null }) =>
      wordsOfCommit(commit).map((text) => text.split(' ')[0]);
    expect(wordsOf({ message: words, author: null })).toEqual(words.split(' ').slice(0, 20));
    expect(wordsOf({ message: null, author: words })).toEqual(words.split(' ').slice(0, 10));
  });

  it('are none if there is no commit, message or author', () => {
    expect(wordsOfCommit(null)).toEqual([]);
    expect(wordsOfCommit({ message: null, author: null })).toEqual([]);
  });
});

describe('the documents of an item', () => {
  it('have ten words each, and each word once', () => {
    const words = Array.from({ length: 11 }, (_, i) => `w${i}`);
    const [first, second, ...others] = wordRows('o1', 'trail/f/a#1', [...words, 'w0', 'w10']);
    expect(first).toEqual([
      'trail/f/a#1#0',
      { org: 'o1', ...Object.fromEntries(words.slice(0, 10).map((word, i) => [`word${i}`, word])) },
    ]);
    expect(second).toEqual(['trail/f/a#1#1', { org: 'o1', word0: 'w10' }]);
    expect(others).toEqual([]);
  });

  it('are none without words', () => expect(wordRows('o1', 'trail/f/a', []).size).toBe(0));
});
