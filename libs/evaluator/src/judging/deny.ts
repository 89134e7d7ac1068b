import { deniedIn, readDenyingRule } from '@assurance/components/domain/denied';
import type { ComponentsListed } from '@assurance/contracts/evidence/events';
import type { ComponentsRule } from '@assurance/contracts/policies/events';
import type { JobResultOf, Job } from '../messages';

/** Finds the components that rules deny in parts of bills of materials. */
export function denyIn({
  rules,
  parts,
}: Extract<Job, { kind: 'deny' }>): JobResultOf<Job & { kind: 'deny' }>['denied'] {
  const read = rules.map((text) => readDenyingRule(JSON.parse(text) as ComponentsRule));
  return parts.map((text) => {
    const { components } = JSON.parse(text) as ComponentsListed['data'];
    return read.map((rule) => deniedIn(rule, components));
  });
}
