import fc from 'fast-check';
import type { Environment, Running } from '@assurance/contracts/environments/documents';
import type { Provenance } from '@assurance/contracts/flows/events';
import { sha256 } from '@assurance/kernel';
import { collect, differenceIn, type ReportItem } from '../domain/difference';
import type { Judging } from '../domain/facts';
import { decideJudgeAgain } from '../domain/judge-again';
import { decideRefresh, refreshedRunning } from '../domain/refresh';
import { decideReport } from '../domain/report-running';
import {
  collectInSlices,
  decideJudgeAgainInSlices,
  decideReportInSlices,
  artifactsToRejudgeInSlices,
  refreshInSlices,
} from './decide-in-slices';

const T = 1_700_000_000;
const environment = {
  ...{ id: 'e', org: 'o', name: 'production', type: 'docker', tags: {}, archived: false, createdAt: 1 },
  ...{ lastModifiedAt: 1, lastChangedAt: 1, snapshot: 3, full: 0, artifacts: 5, policies: [], judged: null },
} as unknown as Environment;
const fingerprint = fc.constantFrom('', ...['a', 'b', 'c', 'd', 'e', 'f'].map(sha256));
const name = fc.constantFrom('web:1', 'web:2', 'api:1', 'api', 'db');
const items: fc.Arbitrary<ReportItem[]> = fc.array(
  fc.record({ digests: fc.array(fc.tuple(name, fingerprint), { maxLength: 3 }), creationTimestamp: fc.nat(9) }),
  { maxLength: 12 },
);
const outcome = fc.option(fc.record({ compliant: fc.boolean(), failing: fc.constant([]) }), { nil: undefined });
const running: fc.Arbitrary<Running[]> = fc
  .tuple(items, fc.array(outcome, { minLength: 40, maxLength: 40 }))
  .map(([before, judged]) =>
    collect(before).map(({ fingerprint, name, instances }, i) => ({
      ...{ fingerprint, name, instances, known: 0, since: { snapshot: 1 + (i % 3), at: T, deployedAt: T + i } },
      ...(judged[i] === undefined ? {} : { judged: judged[i] }),
    })),
  );
const provenance = (of: string) =>
  of < '8'
    ? []
    : [
        {
          ...{ artifactId: `a${of}`, flow: { id: of < 'c' ? 'f' : 'g', name: 'flow' }, template: 'web', repo: null },
          ...{ gitCommit: 'c', commitUrl: null, trail: 't', commit: null, reportedAt: 1 },
        } as unknown as Provenance,
      ];
const judging: Judging = {
  ...{ policies: [], requireProvenance: true, heads: { 'flow/f': 1 } },
  verdictOf: ({ fingerprint: of }) => ({ compliant: of < 'a', policies: [], reasons: [], contexts: [] }) as never,
};
const states = fc.record({
  running,
  includeScaling: fc.boolean(),
  changesSinceFull: fc.constantFrom(0, 1_000),
  isAfresh: fc.boolean(),
  isJudged: fc.boolean(),
  wasJudged: fc.boolean(),
  type: fc.constantFrom('docker', 'K8S'),
});

describe('what is decided in slices', () => {
  it('is decided as at once', async () => {
    const same = fc.asyncProperty(items, states, async (report, { running: runs, isAfresh, ...given }) => {
      const state = {
        environment: {
          ...environment,
          ...{ includeScaling: given.includeScaling, changesSinceFull: given.changesSinceFull },
          ...(isAfresh ? { reportedAs: 'ECS' as const } : {}),
          judged: given.wasJudged ? { compliant: true, policies: [], requireProvenance: true } : null,
        },
        running: runs,
      };
      const facts = {
        ...{ observedAt: T * 1_000, previousReportAt: (T - 60) * 1_000, provenanceOf: provenance, ranBefore: () => [] },
        ...{ firstStart: () => null, stateOf: () => null, judging: given.isJudged ? judging : null },
        recorded: runs.map(({ known: _, judged: __, ...one }) => ({ ...one, flows: [], compliant: null })),
      };
      const artifacts = await collectInSlices(report);
      expect(artifacts).toEqual(collect(report));
      const difference = differenceIn(state.environment, runs, artifacts);
      const refreshed = decideRefresh(difference);
      expect(await refreshInSlices(runs, difference)).toMatchObject({
        refreshed,
        running: refreshed === null ? runs : refreshedRunning(runs, refreshed),
      });
      const asked = { type: given.type as 'docker', artifacts };
      expect(await decideReportInSlices(state, asked, facts, difference)).toEqual(decideReport(state, asked, facts));
      const ask = { fingerprints: new Set(artifacts.map((one) => one.fingerprint)) };
      const moved = await artifactsToRejudgeInSlices(runs, ask, facts);
      expect(await decideJudgeAgainInSlices(state, moved, facts)).toEqual(decideJudgeAgain(state, ask, facts));
    });
    await fc.assert(same, { numRuns: 500 });
  });
});
