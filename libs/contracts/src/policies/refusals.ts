import { conflict, echo, invalidFields, notFound, notPermitted } from '@assurance/kernel';

interface ControlName {
  org: string;
  identifier: string;
}

export const controlRefusals = {
  'control-unknown': ({ org, identifier }: ControlName) =>
    notFound(`Control '${echo(identifier)}' does not exist in organization '${echo(org)}'`),
  'control-exists': ({ org, identifier }: ControlName) =>
    conflict(`A control with identifier '${echo(identifier)}' already exists in organization '${echo(org)}'`),
  'control-version-unknown': ({ org, identifier, version }: ControlName & { version: string }) =>
    notFound(`Control '${echo(identifier)}' has no version '${echo(version)}' in organization '${echo(org)}'`),
  'decision-unknown': ({ identifier, id }: { identifier: string; id: string }) =>
    notFound(`Decision '${echo(id)}' on control '${echo(identifier)}' does not exist`),
};

export const policyRefusals = {
  'evaluation-disabled': () => notPermitted('Server-side evaluation is not enabled'),
  'policy-file-missing': () => invalidFields({ policy_file: 'Field required: there is no policy of this name yet' }),
  'policy-unknown': ({ name, org }: { name: string; org: string }) =>
    notFound(`Policy '${echo(name)}' does not exist in organization '${echo(org)}'`),
  /** `field`: the field of the body with the policies. */
  'too-many-policies': ({
    count,
    limit,
    field,
  }: {
    count: number;
    limit: number;
    field: 'policy_names' | 'policies';
  }) =>
    invalidFields({
      [field]: `The environment would have ${count} policies, more than the limit of ${limit}. Detach some, or unite their rules in one policy`,
    }),
};
