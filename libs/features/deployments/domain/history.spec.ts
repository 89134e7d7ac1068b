import { randomGapHistory, randomHistory, textOfHistory } from '@assurance/testing/deployments/histories';
import { modelDeployments, modelFigures } from '@assurance/testing/deployments/model';
import { reportsOf, textOf } from '@assurance/testing/deployments/notation';
import { replay } from '@assurance/testing/deployments/replay';

/** How many random histories are tried. */
const SEEDS = Number(process.env.DEPLOYMENT_HISTORIES ?? 2_000);
const seeds = Array.from({ length: SEEDS }, (_, i) => i + 1);

const unknown = () => null;
const decided = (text: string, originOf: Parameters<typeof replay>[1] = unknown) =>
  replay(reportsOf(text), originOf).map(textOf);
/** `W1` is `web:1` and `A2` is `api:2`, of one template. */
const ofTemplate = (text: string) =>
  decided(
    text.replace(/([WA])(\d)/g, (id, letter, version) => `${id}=${letter === 'W' ? 'web' : 'api'}:${version}`),
    () => ({ repo: 'shop', flow: 'build', template: 'app' }),
  );

describe('the deployments of a history', () => {
  it.each<[string, string, readonly string[]]>([
    ['a rollback', '[1] [2] [1]', ['1 1 baseline', '2 2 first < 1@1', '3 1 rollback? < 2@2']],
    ['a rolling rollback', '[1] [1,2] [2] [1,2] [1]', ['1 1 baseline', '2 2 first < 1@2', '4 1 rollback? < 2@4']],
    [
      'versions side by side, rescheduled in turn (N1)',
      '[A,B] [B] [A,B] [A] [A,B]',
      ['1 A baseline', '1 B baseline', '3 A restart?', '5 B restart?'],
    ],
    [
      'the same, and one of them replaced three hours later',
      '[A,B] [B] [A,B] [A] [A,B] +3h [A,C]',
      ['1 A baseline', '1 B baseline', '3 A restart?', '5 B restart?', '6 C first < B@5'],
    ],
    [
      'an empty report, and one replaced (N2)',
      '[A,B] [] [A,B] +3h [A,C]',
      ['1 A baseline', '1 B baseline', '3 A restart', '3 B restart', '4 C first < B@3'],
    ],
    [
      'a rollout during which the old one returns',
      '[1] [1,2] [2] [1,2] [2]',
      ['1 1 baseline', '2 2 first < 1@4', '4 1 restart?'],
    ],
    [
      'both beside each other for two days',
      '[1] [1,2] [2] [1,2] +48h [1]',
      ['1 1 baseline', '2 2 first', '4 1 restart'],
    ],
    [
      'three tenants, of which one goes back (N22)',
      '[1@a&b&c] [2@a,1@b&c] [2@a&b,1@c] [2@a&b&c] [1@a,2@b&c]',
      ['1 1 baseline', '2 2 first < 1@2', '4 1 rollback?'],
    ],
    [
      'jobs that alternate, with owners (N3)',
      '[] [a@job:a] [] [b@job:b] [] [a@job:a] [] [b@job:b]',
      ['2 a first', '4 b first', '6 a restart?', '8 b restart?'],
    ],
    [
      'jobs that alternate, without owners',
      '[] [a] [] [b] [] [a] [] [b]',
      ['2 a first', '4 b first', '6 a rollback?', '8 b redeployment?'],
    ],
    [
      'all leave and return one after the other',
      '[A,B] [B] [] [A] [A,B]',
      ['1 A baseline', '1 B baseline', '4 A restart?', '5 B restart?'],
    ],
    ['one of two baselines returns', '[1,2] [2] [1]', ['1 1 baseline', '1 2 baseline', '3 1 redeployment? < 2@2']],
    [
      'an archive and a revival',
      '[1] [2] revived [1] [2]',
      ['1 1 baseline', '2 2 first < 1@1', '3 1 baseline', '4 2 first < 1@3'],
    ],
    [
      'a rolling rollback with a reporter silent for thirty hours',
      '[1] [1,2] +30h [2] [1,2] [1]',
      ['1 1 baseline', '2 2 first < 1@2', '4 1 rollback? < 2@4'],
    ],
    ['an aborted canary (N5)', '[] [1] [1,2] [1] [] [1]', ['2 1 first', '3 2 first', '6 1 restart']],
  ])('of %s', (_what, history, expected) => expect(decided(history)).toEqual(expected));

  it('of two names of one template pair by name (N6)', () => {
    expect(ofTemplate('[W1,A1] [W2]')).toEqual(['1 A1 baseline', '1 W1 baseline', '2 W2 first < W1@1']);
    expect(ofTemplate('[W1,A1] [W1,A1,W2] [W2,A2]')).toEqual([
      '1 A1 baseline',
      '1 W1 baseline',
      '2 W2 first < W1@2',
      '3 A2 first < A1@2',
    ]);
  });

  it('agree with a model that was written from the rules alone', () => {
    for (const seed of seeds) {
      const history = randomHistory(seed);
      const expected = modelDeployments(history.reports, history.originOf).map(textOf);
      const actual = replay(history.reports, history.originOf).map(textOf);
      expect({ seed, history: textOfHistory(history), actual }).toMatchObject({ actual: expected });
    }
  });

  it('count the same with and without a gap of a day at most after which a line returns whole', () => {
    for (const seed of seeds) {
      const { withGap, withoutGap } = randomGapHistory(seed);
      const [gap, whole] = [withGap, withoutGap].map(({ reports, originOf }) =>
        modelFigures(replay(reports, originOf)),
      );
      expect({ seed, figures: gap }).toEqual({ seed, figures: whole });
    }
  });
});
