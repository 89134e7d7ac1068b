import { conflict, echo, invalidFields, notFound } from '@assurance/kernel';

interface Named {
  org: string;
  identifier: string;
}

export const controlRefusals = {
  'control-unknown': ({ org, identifier }: Named) =>
    notFound(`Control '${echo(identifier)}' does not exist in organization '${echo(org)}'`),
  'control-exists': ({ org, identifier }: Named) =>
    conflict(`A control with identifier '${echo(identifier)}' already exists in organization '${echo(org)}'`),
};

export const policyRefusals = {
  'policy-unknown': ({ name, org }: { name: string; org: string }) =>
    notFound(`Policy '${echo(name)}' does not exist in organization '${echo(org)}'`),
  'too-many-policies': ({ limit }: { limit: number }) =>
    invalidFields({ policy_names: `An environment has at most ${limit} policies` }),
};
