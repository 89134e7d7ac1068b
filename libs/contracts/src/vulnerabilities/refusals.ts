import { echo, notFound } from '@assurance/kernel';

export const vulnerabilityRefusals = {
  'vulnerability-unknown': ({ org, id }: { org: string; id: string }) =>
    notFound(`No entry that was imported for org '${echo(org)}' names the vulnerability '${echo(id)}'`),
};
