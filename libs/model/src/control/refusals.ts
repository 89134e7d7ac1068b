import { conflict, echo, notFound } from '@assurance/kernel';

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
