import { emptyOrText, fingerprint, names, orEmpty, required, texts, timestamp, writtenTime } from './params';
import { NO_TIME } from './patterns';
import { readQuery } from './read-query';
import { flag, integer, list, nullable, oneOf, text } from './shape';

const shape = {
  page: integer('Page.', { min: 1, default: 1 }),
  per_page: integer('Size.', { min: 0, max: 50, default: 15 }),
  start_ts: timestamp('Start.'),
  env_name: text('Name.', { min: 1 }),
  search: text('Search.'),
  env: texts('Names.'),
  reverse: flag('Oldest first.', { default: false }),
  sort_direction: oneOf(['asc', 'desc'], 'Direction.', { default: 'asc' }),
};

const defaults = { page: 1, per_page: 15, start_ts: null, env: [], reverse: false, sort_direction: 'asc' };

describe('a query', () => {
  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{}, {}],
    [
      { page: '7', per_page: '0' },
      { page: 7, per_page: 0 },
    ],
    [{ page: '007' }, { page: 7 }],
    [{ start_ts: '1700000000.25' }, { start_ts: 1_700_000_000.25 }],
    [{ start_ts: '0' }, { start_ts: 0 }],
    [{ start_ts: '253402300799' }, { start_ts: 253_402_300_799 }],
    [{ start_ts: '' }, {}],
    [{ start_ts: 'null' }, {}],
    [{ env_name: 'prod' }, { env_name: 'prod' }],
    [{ search: '' }, {}],
    [{ env: 'a' }, { env: ['a'] }],
    [{ env: ['a', 'b,c', 'a'] }, { env: ['a', 'b,c', 'a'] }],
    [{ reverse: 'true' }, { reverse: true }],
    [{ reverse: 'false', search: '' }, {}],
    [{ sort_direction: 'desc' }, { sort_direction: 'desc' }],
  ])('%j is read', (raw, values) => {
    expect(readQuery(shape, raw)).toEqual({ value: { ...defaults, ...values } });
  });

  const page = 'Input should be a whole number of at least 1, in decimal digits';
  const size = 'Input should be a whole number from 0 to 50, in decimal digits';
  const time = 'Input should be a timestamp in epoch seconds, such as 1700000000.5';
  it.each<[Record<string, unknown>, Record<string, string>]>([
    [{ page: '0' }, { page: `${page} [input: 0]` }],
    [{ page: '1.0' }, { page: `${page} [input: 1.0]` }],
    [{ page: '+1' }, { page: `${page} [input: +1]` }],
    [{ page: '1e2' }, { page: `${page} [input: 1e2]` }],
    [{ page: '0x1' }, { page: `${page} [input: 0x1]` }],
    [{ page: ' 1' }, { page: `${page} [input:  1]` }],
    [{ page: '١' }, { page: `${page} [input: ١]` }],
    [{ page: '' }, { page: `${page} [input: ]` }],
    [{ page: '9'.repeat(400) }, { page: `${page} [input: ${'9'.repeat(100)}]` }],
    [{ page: ['1', '2'] }, { page: 'May be given only once' }],
    [{ per_page: '51' }, { per_page: `${size} [input: 51]` }],
    [{ per_page: '-1' }, { per_page: `${size} [input: -1]` }],
    [{ start_ts: 'NaN' }, { start_ts: `${time} [input: NaN]` }],
    [{ start_ts: 'Infinity' }, { start_ts: `${time} [input: Infinity]` }],
    [{ start_ts: '1e9' }, { start_ts: `${time} [input: 1e9]` }],
    [{ start_ts: '.5' }, { start_ts: `${time} [input: .5]` }],
    [{ start_ts: '-5' }, { start_ts: `${NO_TIME} [input: -5]` }],
    [{ start_ts: '253402300800' }, { start_ts: `${NO_TIME} [input: 253402300800]` }],
    [{ start_ts: '1700000000000000' }, { start_ts: `${time} [input: 1700000000000000]` }],
    [{ start_ts: '170000000000000' }, { start_ts: `${NO_TIME} [input: 170000000000000]` }],
    [{ start_ts: ['1', '1'] }, { start_ts: 'May be given only once' }],
    [{ env_name: '' }, { env_name: 'Input should not be empty' }],
    [{ env_name: ['a', 'a'] }, { env_name: 'May be given only once' }],
    [{ env: ['a', ''] }, { env: 'Input should not be empty' }],
    [{ reverse: '2' }, { reverse: "Input should be 'true' or 'false' [input: 2]" }],
    [{ reverse: ['1', '1'] }, { reverse: 'May be given only once' }],
    [{ sort_direction: 'up' }, { sort_direction: "Input should be 'asc' or 'desc' [input: up]" }],
    [
      { limit: '1', 'env[]': 'a', toString: 'x' },
      {
        limit: "Unknown parameter. Did you mean 'page'?",
        'env[]': "Unknown parameter. Did you mean 'env'?",
        toString: "Unknown parameter. Did you mean 'start_ts'?",
      },
    ],
    [
      { page: '0', limit: '1' },
      { page: `${page} [input: 0]`, limit: "Unknown parameter. Did you mean 'page'?" },
    ],
  ])('%j is refused', (raw, errors) => {
    expect(readQuery(shape, raw)).toEqual({ errors });
  });
});

describe('a list that may be asked for without a page', () => {
  const bare = {
    page: integer('Page.', { min: 1, max: 9 }),
    type: list(oneOf(['a', 'b']), 'Types.'),
    env: names('Names.'),
  };
  it.each([
    [{}, { page: undefined, type: [], env: [] }],
    [
      { page: '9', type: 'b' },
      { page: 9, type: ['b'], env: [] },
    ],
    [{ type: ['b', 'a'] }, { page: undefined, type: ['b', 'a'], env: [] }],
    [
      { type: 'b,a', env: ['x,y', 'z'] },
      { page: undefined, type: ['b', 'a'], env: ['x', 'y', 'z'] },
    ],
  ])('%j is read', (raw, value) => {
    expect(readQuery(bare, raw)).toEqual({ value });
  });

  it.each([
    [{ page: '' }, { page: 'Input should be a whole number from 1 to 9, in decimal digits [input: ]' }],
    [{ page: ['1', '2'] }, { page: 'May be given only once' }],
    [{ type: ['a', 'A'] }, { type: "Input should be 'a', 'b' [input: A]" }],
    [{ type: 'a,' }, { type: "Input should be 'a', 'b' [input: ]" }],
    [{ env: 'x,' }, { env: 'Input should not be empty' }],
    [{ type: '' }, { type: "Input should be 'a', 'b' [input: ]" }],
  ])('%j is refused', (raw, errors) => {
    expect(readQuery(bare, raw)).toEqual({ errors });
  });
});

describe('a boolean of a query', () => {
  const booleans = {
    reverse: flag('Oldest first.', { default: false }),
    case_sensitive: flag('Letter case.', { default: true }),
    covered: nullable(flag('Covered.')),
  };
  const value = (text: string) => {
    const raw = { reverse: text, case_sensitive: text, covered: text };
    const read = readQuery(booleans, raw);
    return 'errors' in read ? Object.keys(read.errors) : Object.values(read.value);
  };

  it.each(['true', 'True', 'TRUE', '1', 'yes', 'Yes', 'on', 'ON'])('is true as %s', (text) => {
    expect(value(text)).toEqual([true, true, true]);
  });

  it.each(['false', 'False', 'FALSE', '0', 'no', 'No', 'off', 'OFF'])('is false as %s', (text) => {
    expect(value(text)).toEqual([false, false, false]);
  });

  it('is its default where it is empty or not given', () => {
    expect(value('')).toEqual([false, true, null]);
    expect(readQuery(booleans, {})).toEqual({ value: { reverse: false, case_sensitive: true, covered: null } });
  });

  it.each(['2', 'maybe', ' true', 'true,false', 'toString'])('is refused as %s', (text) => {
    expect(value(text)).toEqual(['reverse', 'case_sensitive', 'covered']);
  });
});

describe('a parameter that may be empty', () => {
  const shape = {
    snapshot: required(text('Which.', { min: 1 })),
    sort: oneOf(['name', 'time'], 'Order.'),
    late: flag('Late.'),
    id: emptyOrText('Id.'),
    sha: fingerprint('Artifact.'),
    at: writtenTime('When.'),
    type: orEmpty(list(oneOf(['a', 'b']), 'Types.')),
    flow: orEmpty(names('Flows.')),
  };
  const none = { sort: undefined, late: undefined, id: undefined, sha: undefined, at: null, type: [], flow: [] };

  it.each([
    [{}, {}],
    [{ sort: '', late: '', sha: '', at: '', type: '', flow: '' }, {}],
    [{ at: 'null', type: 'null', flow: ['null', 'x,y'] }, { flow: ['x', 'y'] }],
    [{ id: '' }, { id: '' }],
    [
      { sort: 'time', late: 'no', id: '7' },
      { sort: 'time', late: false, id: '7' },
    ],
    [
      { sha: 'SHA256:ABCDEF', at: '1970-01-02' },
      { sha: 'abcdef', at: 86_400 },
    ],
    [{ at: '1970-01-01T02:00:00 02:00' }, { at: 0 }],
  ])('%j is read', (raw, values) => {
    expect(readQuery(shape, { snapshot: 's', ...raw })).toEqual({ value: { snapshot: 's', ...none, ...values } });
  });

  it.each([
    [{}, { snapshot: 'Field required' }],
    [{ snapshot: '' }, { snapshot: 'Input should not be empty' }],
    [{ snapshot: 's', sort: 'x' }, { sort: "Input should be 'name' or 'time' [input: x]" }],
    [{ snapshot: 's', late: 'all' }, { late: "Input should be 'true' or 'false' [input: all]" }],
    [
      { snapshot: 's', at: '1' },
      { at: "Input should be a time in ISO 8601, such as '2026-11-02T08:00:00Z' [input: 1]" },
    ],
    [{ snapshot: 's', type: 'null,a' }, { type: "Input should be 'a', 'b' [input: null]" }],
    [{ snapshot: 's', flow: 'x,' }, { flow: 'Input should not be empty' }],
  ])('%j is refused', (raw, errors) => {
    expect(readQuery(shape, raw)).toEqual({ errors });
  });
});
