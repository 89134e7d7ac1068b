import { listeningProjections, NO_END } from './listening';

const META = { stream: 'notification/acme/1', at: 5 };
const lists = (environments: string[], deleted = false) => ({ environments, deleted });
type Lists = Parameters<typeof listeningProjections>[1];
const left = (before: Lists | null, after: Lists) =>
  listeningProjections(before, after, META).map(({ id, doc }) => [id, (doc as { until: number } | null)?.until]);

describe('documents of the environments that a notification lists', () => {
  it('say until when it listed each', () => {
    expect(left(null, lists(['a', 'b']))).toEqual([
      ['notification/acme/1/a', NO_END],
      ['notification/acme/1/b', NO_END],
    ]);
    expect(left(lists(['a', 'b']), lists(['b', 'c']))).toEqual([
      ['notification/acme/1/a', 5],
      ['notification/acme/1/c', NO_END],
    ]);
    expect(left(lists(['a']), lists(['a'], true))).toEqual([['notification/acme/1/a', 5]]);
  });

  it('are there for each flow too', () => {
    const flows = (...all: string[]) => ({ ...lists([]), flows: all });
    expect(left(null, flows('f'))).toEqual([['notification/acme/1/f', NO_END]]);
    expect(left(flows('f'), flows('g'))).toEqual([
      ['notification/acme/1/f', 5],
      ['notification/acme/1/g', NO_END],
    ]);
    expect(left(flows('f'), { ...flows('f'), deleted: true })).toEqual([['notification/acme/1/f', 5]]);
  });

  it('stay as they are when something else changes', () => {
    const same = lists(['a']);
    expect(left(same, { ...same })).toEqual([]);
  });
});
