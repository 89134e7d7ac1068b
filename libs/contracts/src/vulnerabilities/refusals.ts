import { echo, notFound } from '@assurance/kernel';

export const vulnerabilityRefusals = {
  'vulnerability-unknown': ({ org, id }: { org: string; id: string }) =>
    notFound(
      `No imported entry and no finding of a scanner in org '${echo(org)}' names the vulnerability '${echo(id)}'`,
    ),
};
