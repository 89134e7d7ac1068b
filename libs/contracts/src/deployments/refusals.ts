import { echo, notFound } from '@assurance/kernel';

export const deploymentRefusals = {
  'deployment-unknown': ({ fingerprint, environment }: { fingerprint: string; environment: string }) =>
    notFound(
      `Artifact with fingerprint '${echo(fingerprint)}' was never deployed to environment '${echo(environment)}'`,
    ),
};
