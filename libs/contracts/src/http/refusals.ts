import {
  conflict,
  type Errors,
  input,
  invalidFields,
  notPermitted,
  overLimit,
  type Problem,
  type RefusalOf,
} from '@assurance/kernel';
import { accessRefusals, spaceRefusals } from '../access/refusals';
import { retentionRefusals } from '../audit/refusals';
import { deploymentRefusals } from '../deployments/refusals';
import { environmentRefusals } from '../environments/refusals';
import { attestationTypeRefusals } from '../evidence/refusals';
import { flowRefusals, repoRefusals } from '../flows/refusals';
import { notificationRefusals } from '../notifications/refusals';
import { controlRefusals, policyRefusals } from '../policies/refusals';
import { vulnerabilityRefusals } from '../vulnerabilities/refusals';

/** What a caller can do about a reached limit. For all other limits, the operator can raise the limit. */
const REMEDIES: Readonly<Record<string, string>> = {
  administrators: 'Give one of them another role',
  notifications: 'Delete one that is not used',
  'open invitations': 'Withdraw one that nobody accepts',
  'target configurations': 'Delete one that is not used',
};

const sharedRefusals = {
  forbidden: () => notPermitted("You don't have permission to access this resource"),
  invalid: ({ errors }: { errors: Errors }) => invalidFields(errors),
  // The status is not 409, because clients would try again.
  'name-taken': ({ name }: { name: string }) =>
    invalidFields({ new_name: `This is the name of another already ${input(name)}` }),
  'too-many-tags': ({ tags, characters }: { tags: number; characters: number }) =>
    invalidFields({
      set_tags: `A resource has at most 50 tags of 4096 characters together; these would be ${tags} of ${characters}. Remove some with remove_tags, or shorten them`,
    }),
  /** The organization has reached the limit of some kind of thing. */
  'too-many': ({ things, limit }: { things: string; limit: number }) =>
    overLimit(
      `The organization has reached the limit of ${limit} ${things}. ${REMEDIES[things] ?? 'The operator can raise it'}`,
    ),
};

/** Refusals of commands that may succeed if they are repeated. */
const momentaryRefusals = {
  'lost-race': () => ({
    ...conflict('Somebody else changed this at the same moment. Try again'),
    retryAfter: 1,
  }),
  'too-busy': (): Problem => ({
    problem: 'unavailable',
    message: 'The service has more to do than it takes at once. Try again in a moment',
    retryAfter: 1,
  }),
};

/** The refusals of all features. Each has a reason and a text. */
export const FEATURE_REFUSALS = {
  ...sharedRefusals,
  ...momentaryRefusals,
  ...accessRefusals,
  ...attestationTypeRefusals,
  ...controlRefusals,
  ...deploymentRefusals,
  ...environmentRefusals,
  ...flowRefusals,
  ...notificationRefusals,
  ...policyRefusals,
  ...repoRefusals,
  ...retentionRefusals,
  ...spaceRefusals,
  ...vulnerabilityRefusals,
};

/** The refusals of these kinds. */
export type FeatureRefusal<Kind extends keyof typeof FEATURE_REFUSALS = keyof typeof FEATURE_REFUSALS> = RefusalOf<
  typeof FEATURE_REFUSALS,
  Kind
>;

/** Carries a refusal to the HTTP edge. The code that loads and runs commands throws it; deciders return refusals. */
export class Refused<Refusal extends { readonly kind: string } = FeatureRefusal> extends Error {
  override readonly name = 'RefusalError';
  constructor(readonly refusal: NoInfer<Refusal>) {
    super(refusal.kind);
  }
}
