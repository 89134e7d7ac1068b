import { addressOf, type Question, queryOf, questionOf } from './question';

const NOTHING: Question = { component: '', version: '', env: '', time: '', at: '', from: '', to: '' };
const QUESTION = { ...NOTHING, component: 'log4j-core' };

describe('a question for a component', () => {
  it.each(['local', 'utc'] as const)('is kept by the address in the zone %s', (zone) => {
    for (const question of [
      NOTHING,
      { ...QUESTION, version: '>=2,<2.17', env: 'production' },
      { ...QUESTION, time: 'at', at: '2026-11-02T14:05' },
      { ...QUESTION, time: 'period', from: '2026-03-01', to: '2026-06-30' },
    ]) {
      expect(questionOf(addressOf(question, zone), zone)).toEqual(question);
    }
  });

  it('has times in UTC in its address, and no field of another choice of time', () => {
    const at = { ...QUESTION, at: '2026-11-02T14:05', from: '2026-03-01' };
    expect(String(addressOf({ ...at, time: 'at' }, 'utc'))).toBe(
      'component=log4j-core&time=at&at=2026-11-02T14%3A05%3A00Z',
    );
    expect(String(addressOf(at, 'utc'))).toBe('component=log4j-core');
  });

  it('is none without a component', () => {
    expect(queryOf({ ...NOTHING, version: '1' }, 'utc')).toBeNull();
  });

  it('asks by package URL or by name, for a version or for a range', () => {
    expect(queryOf(QUESTION, 'utc')).toEqual({ name: 'log4j-core' });
    expect(queryOf({ ...QUESTION, component: 'PKG:npm/a@1' }, 'utc')).toEqual({ purl: 'PKG:npm/a@1' });
    for (const version of ['2.14.1', '1:2.3-4+deb11u1', '1.0~rc1', 'v1.2.3+incompatible']) {
      expect(queryOf({ ...QUESTION, version }, 'utc')).toEqual({ name: 'log4j-core', version });
    }
    for (const range of ['>=2,<2.17', '!=1', '1|2', '=1']) {
      expect(queryOf({ ...QUESTION, version: range }, 'utc')).toEqual({ name: 'log4j-core', range });
    }
  });

  it('asks for a time, or for whole days', () => {
    const times = { at: '2026-11-02T14:05', from: '2026-03-01', to: '2026-06-30' };
    expect(queryOf({ ...QUESTION, ...times, time: 'at' }, 'utc')).toEqual({
      name: 'log4j-core',
      at: '2026-11-02T14:05:00.000Z',
    });
    expect(queryOf({ ...QUESTION, ...times, time: 'period' }, 'utc')).toEqual({
      name: 'log4j-core',
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-06-30T23:59:59.999Z',
    });
  });
});
