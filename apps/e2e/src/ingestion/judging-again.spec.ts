import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { StoreUnavailable } from '@assurance/storage-ports';
import fc from 'fast-check';
import type { Caller, RequestParts } from '../support/caller';
import { eventually } from '../support/eventually';
import {
  artifact,
  digest,
  environment,
  flow,
  flowForm,
  item,
  policy,
  policyForm,
  policyYaml,
} from '../support/samples';
import { type SplitServices, startTwoIngestions } from '../support/split';
import { worldOf } from '../support/world';

const RUNS = 40;
const ASKED_TO_FAIL = 'the storage failed, as the test asked';
const STRICT = policyYaml('  provenance: {required: true}\n');
const STRICTER = policyYaml(
  `  provenance: {required: true}\n  attestations: [{name: scan, type: generic, if: 'flow.tags.kind == "build"'}]\n`,
);
const TRAIL = 'build-1';

/** Actions that are interleaved at random; those of one list keep their order. */
const plans = fc.record({
  isKnown: fc.boolean(),
  scans: fc.constantFrom<readonly boolean[]>([], [true], [false], [true, false], [false, true]),
  isAttached: fc.boolean(),
  isRevised: fc.boolean(),
  isTagged: fc.boolean(),
  isAllowed: fc.boolean(),
  isJoined: fc.boolean(),
  /** After how many steps of the storage one fails, as if the process had ended there. */
  failures: fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 3 }),
});
type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;

/**
 * The expected verdicts, numbers of flows and decisions of the policy for the artifact and for the unreported artifact that joined it, and the
 * version of the policy. The decision may still change while an artifact on the allow-list stays compliant.
 */
function expectedOf({ isKnown, scans, isAttached, isRevised, isTagged, isAllowed, isJoined }: Plan) {
  const meets = isKnown && (!isRevised || !isTagged || scans.at(-1) === true);
  const verdicts = isAttached ? [isAllowed || meets, ...(isJoined ? [false] : [])] : isJoined ? [null, null] : [null];
  const flows = [Number(isKnown), ...(isJoined ? [0] : [])];
  const decisions = [meets, ...(isJoined ? [false] : [])].map((is) =>
    isAttached ? [is ? 'COMPLIANT' : 'NON-COMPLIANT'] : [],
  );
  return { verdicts, flows, policies: isAttached ? [isRevised ? 2 : 1] : [], decisions };
}

describe('verdicts on what runs, with two ingestions', () => {
  let scheduler: fc.Scheduler | null = null;
  let steps = 0;
  let failures: readonly number[] = [];
  let failed = 0;
  let ahead = 0;
  let service: SplitServices;
  let caller: Caller;

  beforeAll(async () => {
    // Every step of the storage waits for its turn: those of requests, consumers and workers.
    const onStep = async () => {
      if (scheduler === null) return;
      await scheduler.schedule(Promise.resolve());
      steps += 1;
      if (!failures.includes(steps)) return;
      failed += 1;
      throw new StoreUnavailable(ASKED_TO_FAIL);
    };
    service = await startTwoIngestions(onStep, () => Date.now() + ahead);
    caller = (await worldOf(service)).as('member');
  }, 90_000);
  afterAll(async () => {
    await service.stop();
    expect(service.faults.filter((line) => !line.includes(ASKED_TO_FAIL))).toEqual([]);
  });

  /** Asks again, as clients do, until it is done. */
  async function insist(method: string, path: string, sent: () => RequestParts): Promise<void> {
    for (;;) {
      const { status, text } = await caller.send(method, path, sent());
      if (status < 300) return;
      if (status !== 409 && status < 500) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
    }
  }

  /** All steps of a plan concurrently, except those with an order. */
  function all(plan: Plan, env: string, built: string, rules: string): Promise<unknown> {
    const [web, api] = [item({ 'web:1': digest(env) }), item({ 'web:2': digest(`${env} too`) })];
    const report = (artifacts: object[]) =>
      insist('PUT', `/environments/acme/${env}/report/docker`, () => ({ json: { artifacts } }));
    const existing = artifact(digest(env), { repo_info: undefined, trail_name: TRAIL });
    const scan = (is_compliant: boolean) =>
      insist('POST', `/attestations/acme/${built}/trail/${TRAIL}/generic`, () => ({
        form: flowForm({ attestation_name: 'scan', is_compliant }),
      }));
    const actionIf = (is: boolean, act: () => Promise<unknown>) => (is ? [act()] : []);
    return Promise.all([
      report([web]).then(() => (plan.isJoined ? report([web, api]) : null)),
      ...actionIf(plan.isKnown, () => insist('POST', `/artifacts/acme/${built}`, () => ({ json: existing }))),
      plan.scans.reduce<Promise<unknown>>((before, compliant) => before.then(() => scan(compliant)), Promise.resolve()),
      ...actionIf(plan.isAttached, () =>
        insist('POST', `/environments/acme/${env}/policies`, () => ({ json: { policy_names: [rules] } })),
      ),
      ...actionIf(plan.isRevised, () =>
        insist('PUT', '/policies/acme', () => ({ form: policyForm({ name: rules }, STRICTER) })),
      ),
      ...actionIf(plan.isTagged, () =>
        insist('PATCH', `/tags/acme/flow/${built}`, () => ({ json: { set_tags: { kind: 'build' } } })),
      ),
      ...actionIf(plan.isAllowed, () =>
        insist('PUT', `/allowlists/acme/${env}`, () => ({
          json: { artifact_fingerprint: digest(env), artifact_name: 'web', description: '' },
        })),
      ),
    ]);
  }

  const snapshot = (env: string, n: number) => caller.get<SnapshotAnswer>(`/snapshots/acme/${env}/${n}`);
  const verdictsOf = ({ artifacts, applied_policies: policies }: SnapshotAnswer) => ({
    verdicts: artifacts.map(({ compliant }) => compliant),
    flows: artifacts.map(({ flows }) => flows.length),
    policies: policies.map(({ version }) => version),
    decisions: artifacts.map(({ policy_decisions: decisions }) => decisions.map(({ status }) => status)),
  });
  /** The running artifacts of each snapshot of an environment, the first snapshot first. */
  async function storedVerdicts(env: string): Promise<string[]> {
    const texts: string[] = [];
    for (let n = (await snapshot(env, -1)).index; n > 0; n -= 1) {
      texts.unshift(JSON.stringify(verdictsOf(await snapshot(env, n))));
    }
    return texts;
  }

  it('are equal in the end for any order of the steps of evidence, standards and reports, and for any interruption', async () => {
    const ends = new Map<string, string[]>();
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), plans, async (turns, plan) => {
        const [env, built] = [await environment(caller), await flow(caller)];
        const rules = await policy(caller, STRICT);
        [scheduler, steps, failures] = [turns, 0, plan.failures];
        try {
          await turns.waitFor(all(plan, env, built, rules));
        } finally {
          scheduler = null;
          await turns.waitIdle();
        }
        const end = await eventually(
          async () => {
            // The lease of a worker that ended delays no other.
            ahead += 1_000;
            return verdictsOf(await snapshot(env, -1));
          },
          (result) => JSON.stringify(result) === JSON.stringify(expectedOf(plan)),
        );
        expect(end).toEqual(expectedOf(plan));
        ends.set(env, await storedVerdicts(env));
      }),
      { numRuns: RUNS },
    );
    let again = 0;
    for (const [env, texts] of ends) {
      // Later work would have shown a repeated snapshot, and no snapshot equals the one before.
      expect(await storedVerdicts(env)).toEqual(texts);
      texts.forEach((text, i) => expect(text).not.toBe(texts[i - 1]));
      again += texts.length - 1;
    }
    expect([again > RUNS / 2, failed > 0]).toEqual([true, true]);
  }, 300_000);
});
