import type { RunningProvenance } from '@assurance/contracts/environments/events';
import type { JudgedTrail } from '@assurance/contracts/policies/events';
import { groupBy } from '@assurance/kernel';

type TrailReference = Pick<RunningProvenance, 'flow' | 'trail'>;

/**
 * Finds the part of a verdict that is about each flow and trail of an artifact. A verdict has the flow's name at the time of the verdict, and the
 * provenance has the name at the time of the report. After a rename these differ. Both list the first report first, so entries without an equal name
 * are matched in their order.
 *
 * @returns undefined for a flow and trail that the verdict did not judge
 */
export function judgedTrails<Flow extends TrailReference>(
  flows: readonly Flow[],
  contexts: readonly JudgedTrail[],
): (flow: Flow) => JudgedTrail | undefined {
  const judgedOf = new Map<Flow, JudgedTrail>();
  for (const [trail, reported] of groupBy(flows, (flow) => flow.trail)) {
    const contextsOfTrail = contexts.filter((context) => context.trail === trail);
    const flowsByName = groupBy(reported, ({ flow }) => flow.name);
    for (const context of contextsOfTrail) {
      const [flow, other] = flowsByName.get(context.flow) ?? [];
      if (flow !== undefined && other === undefined) judgedOf.set(flow, context);
    }
    const matchedContexts = new Set(judgedOf.values());
    const flowsLeft = reported.filter((flow) => !judgedOf.has(flow));
    const contextsLeft = contextsOfTrail.filter((context) => !matchedContexts.has(context));
    if (contextsLeft.length === flowsLeft.length)
      contextsLeft.forEach((context, i) => judgedOf.set(flowsLeft[i] as Flow, context));
  }
  return (flow) => judgedOf.get(flow);
}
