import { type Placed, replacedBy } from './replaced';

const from = (flow: string, template: string | null, repo: string | null, name = 'web:1'): Placed => ({
  name,
  origin: { flow, template, repo },
});

describe('what an arriving artifact replaces', () => {
  const arrived = from('f', 'web', 'r', 'web:2');

  it.each<[string, readonly Placed[], number | null]>([
    ['nothing, when nothing left', [], null],
    ['the same template of the same flow', [from('g', 'web', null), from('f', 'api', null), from('f', 'web', null)], 2],
    [
      'else the same name of the same repository',
      [from('g', null, 's'), from('g', null, 'r', 'api:1'), from('g', null, 'r')],
      2,
    ],
    ['the template before the name', [from('g', null, 'r'), from('f', 'web', 's', 'other')], 1],
    ['the first given of several', [from('f', 'web', 's'), from('f', 'web', 'r')], 0],
    ['nothing of unknown origin', [{ name: 'web:1', origin: null }], null],
    ['nothing by a missing repository', [from('g', null, null)], null],
  ])('is %s', (_what, departed, index) =>
    expect(replacedBy(arrived, departed)).toBe(index === null ? null : departed[index]),
  );

  it('is nothing for an artifact of unknown origin', () => {
    expect(
      replacedBy({ name: 'web:2', origin: null }, [{ name: 'web:1', origin: null }, from('f', 'web', 'r')]),
    ).toBeNull();
  });

  it('is nothing by a missing template or repository on both sides', () => {
    expect(replacedBy(from('f', null, null), [from('f', null, null)])).toBeNull();
  });
});
