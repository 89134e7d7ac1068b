import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shardCommands, shardKeyOf } from './shard-keys';
import { carries } from './testing/routed';

describe('shard keys', () => {
  it('are those that the documentation tells operators to use', () => {
    const guide = readFileSync(join(__dirname, '../../../../docs/scaling/sharding.md'), 'utf8');
    const [, documentedCommands] = /```js\n(.*?)```\n/s.exec(guide) ?? [];
    expect(documentedCommands).toBe(`${shardCommands('assurance')}\n`);
  });

  it('are declared for collections of documents by their prefix, and for no others', () => {
    expect(shardKeyOf('documents_heads_2')).toEqual({ _id: 'hashed' });
    expect(shardKeyOf('system.profile')).toBeNull();
  });

  it.each([
    ['a value', { stream: 'a' }, true],
    ['some values', { stream: { $in: ['a', 'b'] }, seq: { $gt: 1 } }, true],
    ['branches that all name it', { $or: [{ stream: 'a', seq: 1 }, { stream: { $eq: 'b' } }] }, true],
    ['a branch that does not', { $or: [{ stream: 'a' }, { seq: 1 }] }, false],
    ['no branch', { $or: [] }, false],
    ['a range', { stream: { $gt: 'a' } }, false],
    ['another field', { seq: 1 }, false],
    ['nothing', {}, false],
  ])('are carried by a filter or not: %s', (_, filter, expected) => {
    expect(carries({ stream: 1, seq: 1 }, filter)).toBe(expected);
  });
});
