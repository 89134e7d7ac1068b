import { sha256 } from '@assurance/kernel';
import { dataFault, linkFault } from './chain';
import { BloomFilter } from './bloom-filter';

const before = { seq: 4, hash: 'a'.repeat(64) };

describe('a link', () => {
  it.each([
    ['the first', { seq: 1, prev: null }, null, null],
    ['the one that follows', { seq: 5, prev: before.hash }, before, null],
    ['a first with one before it', { seq: 1, prev: 'x' }, null, 'it is the first'],
    ['one after a gap', { seq: 5, prev: before.hash }, null, 'the commit 4 before it is gone'],
    ['one after another', { seq: 5, prev: 'b' }, before, 'it does not follow the commit 4'],
    ['one without prev', { seq: 5, prev: null }, before, 'it does not follow the commit 4'],
  ])('judges %s', (_, commit, there, fault) => {
    if (fault === null) expect(linkFault(commit, there)).toBeNull();
    else expect(linkFault(commit, there)).toContain(fault);
  });
});

describe('data', () => {
  const event = { type: 'Told', version: 1, digest: sha256('{"ä":1}'), size: 8 };

  it('matches its event, or is reported as different', () => {
    expect(dataFault(event, '{"ä":1}')).toBeNull();
    expect(dataFault(event, '{"ä":2}')).toContain('does not have the digest');
    expect(dataFault({ ...event, size: 7 }, '{"ä":1}')).toContain('8 bytes, not 7');
    expect(dataFault(event, null)).toContain('is gone');
  });
});

it('tells earlier commits from other commits', () => {
  const seen = new BloomFilter();
  const ids = Array.from({ length: 1_000 }, (_, i) => `id ${i}`);
  expect(ids.filter((id) => seen.addAndTest(id))).toEqual([]);
  expect(ids.every((id) => seen.addAndTest(id))).toBe(true);
});
