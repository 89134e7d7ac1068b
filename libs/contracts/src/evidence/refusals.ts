import { echo, notFound, overLimit } from '@assurance/kernel';

export const attestationTypeRefusals = {
  'attestation-type-unknown': ({ org, name }: { org: string; name: string }) =>
    notFound(`Custom attestation type '${echo(name)}' does not exist for org '${echo(org)}'`),
  'attestation-type-version-unknown': ({ name, version }: { name: string; version: number }) =>
    notFound(`version ${version} does not exist for custom attestation type '${echo(name)}'`),
  'too-many-versions': ({ limit }: { limit: number }) =>
    overLimit(`It has reached the limit of ${limit} versions. Create another one`),
};
