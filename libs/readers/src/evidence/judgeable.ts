import type { KnownIn } from '@assurance/model';
import type { Evidence } from './evidence';

/** The part of the evidence that rules read. Only this part is copied to the thread that judges. */
export function judgeable({ flow, first, artifactStatus, trailStatus, attestations }: Evidence): KnownIn {
  return {
    flow: { name: flow.name, tags: flow.tags },
    first: { trail: first.trail },
    artifactStatus,
    trailStatus,
    attestations: attestations.map(({ name, type, countsAs, compliant, control }) => ({
      ...{ name, type, countsAs, compliant },
      control: control === null ? null : { identifier: control.identifier },
    })),
  };
}
