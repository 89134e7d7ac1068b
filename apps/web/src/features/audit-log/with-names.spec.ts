import { fieldsWithNames } from './with-names';

const NAMES = { p1: 'strict', e1: 'production', gone: null };

describe('values with names', () => {
  it('have names in the place of ids, in lists and objects too', () =>
    expect(
      fieldsWithNames({ 'policies.strict': 'p1', environments: ['e1', 'e2'], targets: [{ config_id: 'p1' }] }, NAMES),
    ).toEqual({ 'policies.strict': 'strict', environments: ['production', 'e2'], targets: [{ config_id: 'strict' }] }));

  it('have the ids behind the names where that is wanted', () =>
    expect(fieldsWithNames({ a: 'p1', b: 1, c: null }, NAMES, true)).toEqual({ a: 'strict (p1)', b: 1, c: null }));

  it('mark the id of a removed resource', () =>
    expect(fieldsWithNames({ a: 'gone' }, NAMES)).toEqual({ a: 'gone (does not exist any more)' }));

  it('take no id for a name that every object has', () =>
    expect(fieldsWithNames({ a: 'constructor' }, NAMES)).toEqual({ a: 'constructor' }));
});
