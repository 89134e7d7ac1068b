import { echo, invalidFields, notFound } from '@assurance/kernel';

export const policyRefusals = {
  'policy-unknown': ({ name, org }: { name: string; org: string }) =>
    notFound(`Policy '${echo(name)}' does not exist in organization '${echo(org)}'`),
  'too-many-policies': ({ limit }: { limit: number }) =>
    invalidFields({ policy_names: `An environment has at most ${limit} policies` }),
};
