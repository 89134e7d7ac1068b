import { artifact, digest, sha1 } from '../../support/samples';
import type { Shop } from './shop';

/** The environment with all names, and one that runs the version before. */
export const [NAMED, BEFORE] = ['names', 'names-before'];
/** The flow that built all artifacts. */
export const FLOW = 'name-builds';

const LONG = 'reconciliation-of-payments-and-refunds-between-ledgers-of-every-country'.repeat(2);

/** Names of artifacts as reporters send them, in a version. The digest of a name is that of the artifact, as registries have it. */
const KINDS: readonly ((version: number) => string)[] = [
  (version) => `tag:${sha1(`tag ${version}`)}`,
  (version) => `registry.example.com:5000/team/name@sha256:${fingerprintOf('digest', version)}`,
  (version) => `ghcr.io/acme/shop/both:1.${version}@sha256:${fingerprintOf('both', version)}`,
  (version) => `123456789012.dkr.ecr.eu-central-1.amazonaws.com/payments/hash:main-${sha1(`hash ${version}`)}`,
  (version) => `arn:aws:lambda:eu-central-1:123456789012:function:settle_payments_of_the_night:${version}`,
  (version) => `arn:aws:lambda:eu-central-1:123456789012:function:Settle${LONG.replaceAll('-', '')}:${version}`,
  (version) => `settle-payments-of-the-night-in-every-country-${version}`,
  (version) => `sha256:${fingerprintOf('bare', version)}`,
  (version) => `${LONG}:${version}`,
  (version) => `${'unbroken'.repeat(20)}:${version}`,
];

const fingerprintOf = (kind: string | number, version: number) => digest(`named ${kind} ${version}`);

/** The fingerprint of each name in a version. */
export const namesIn = (version: number): readonly (readonly [name: string, fingerprint: string])[] =>
  KINDS.map((nameOf, i) => [
    nameOf(version),
    /sha256:(\w{64})$/.exec(nameOf(version))?.[1] ?? fingerprintOf(i, version),
  ]);

const POLICY =
  '_schema: https://example.com/schemas/policy/v1\nartifacts:\n  attestations:\n    - {type: pull_request, name: review-of-two-engineers}\n';

/** Reports all names in two versions, with and without provenance, into an environment that refuses them. */
export async function fillNames(shop: Shop): Promise<void> {
  await shop.form('PUT', '/policies/admin', { name: 'reviewed', type: 'env' }, { field: 'policy_file', text: POLICY });
  await shop.form('PUT', '/flows/admin/template_file', { name: FLOW, description: '' });
  for (const env of [NAMED, BEFORE])
    await shop.ask('PUT', '/environments/admin', { name: env, type: 'docker', description: '' });
  await shop.ask('POST', `/environments/admin/${NAMED}/policies`, { policy_names: ['reviewed'] });
  for (const version of [1, 2]) {
    for (const [i, [filename, fingerprint]] of namesIn(version).entries()) {
      if (i % 3 === 2) continue;
      const body = artifact(fingerprint, { filename, template_reference_name: `part-${i}` });
      await shop.ask('POST', `/artifacts/admin/${FLOW}`, body);
    }
    const artifacts = namesIn(version).map(([name, fingerprint]) => ({
      digests: { [name]: fingerprint },
      creationTimestamp: Math.floor(Date.now() / 1000) - 3_600 / version,
    }));
    for (const env of version === 1 ? [NAMED, BEFORE] : [NAMED])
      await shop.ask('PUT', `/environments/admin/${env}/report/docker`, { artifacts });
  }
}
