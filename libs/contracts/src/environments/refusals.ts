import { echo, input, invalidFields, notFound, overLimit } from '@assurance/kernel';

export const environmentRefusals = {
  'environment-unknown': ({ name, org }: { name: string; org: string }) =>
    notFound(`Environment named '${echo(name)}' does not exist for organization '${echo(org)}'`),
  'environment-archived': ({ name }: { name: string }) =>
    notFound(`Environment named '${echo(name)}' has been archived`),
  /** `expiresAt` in epoch seconds. */
  'allowance-expired': ({ expiresAt }: { expiresAt: number }) =>
    invalidFields({ expires_at: `This is in the past ${input(expiresAt)}` }),
  'environment-not-logical': ({ name, is }: { name: string; is: string }) =>
    invalidFields({ type: `Environment '${echo(name)}' is of type '${echo(is)}': only a logical one has members` }),
  'member-not-physical': ({ name }: { name: string }) =>
    invalidFields({ physical_env_name: `Environment '${echo(name)}' is a logical environment itself` }),
  'too-many-members': ({ limit }: { limit: number }) =>
    overLimit(`A logical environment has at most ${limit} members. Divide them between several`),
  'environment-type-changed': ({ current, requested }: { current: string; requested: string }) =>
    invalidFields({
      type: `The environment is of type '${echo(current)}', which cannot be changed ${input(requested)}`,
    }),
  'environment-wrong-kind': ({ expected, actual }: { expected: string; actual: string }) =>
    invalidFields({ type: `The environment is of type '${echo(expected)}', the report of type '${echo(actual)}'` }),
  'observed-too-early': ({ requested: requestedTime, newest }: { requested: number; newest: number }) =>
    invalidFields({
      observed_at: `The newest report of the environment was observed at ${newest / 1000}; an earlier time cannot follow ${input(requestedTime / 1000)}`,
    }),
  'observed-ahead': ({ requested: requestedTime }: { requested: number }) =>
    invalidFields({
      observed_at: `Input should be epoch seconds that are not more than a minute ahead ${input(requestedTime / 1000)}`,
    }),
  'too-many-artifacts': ({ limit, count }: { limit: number; count: number }) =>
    overLimit(
      `The report has ${count} artifacts, more than the limit of ${limit}. Divide what runs between environments, and join these in a logical one`,
    ),
  /** `expression` and `resolved` begin with the environment's name: `production#-1`, `production#0`. */
  'snapshot-unknown': (refusal: { org: string; expression: string; resolved: string; count: number }) =>
    notFound(
      `Org: '${echo(refusal.org)}'. Snapshot '${echo(refusal.expression)}' resolves to '${echo(refusal.resolved)}'. ` +
        `len(snapshots) == ${refusal.count}. Indexes are 1-based`,
    ),
};
