import type { ImportedVulnerabilities } from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import type { Caller } from './caller';
import { notification, webhook } from './notifying';
import type { Receiver } from './receiver';
import { artifact, digest, environment, flow, item, post, report, sbomForm, sbomOf } from './samples';
import type { World } from './world';

/** An entry of a database: every version of an npm package before 2.0.0 is affected. */
export const npmEntry = (id: string, name: string, fields: object = {}) => ({
  id,
  modified: '2024-01-02T00:00:00Z',
  published: '2024-01-01T00:00:00Z',
  summary: `A fault in ${name}`,
  aliases: [],
  database_specific: { severity: 'HIGH' },
  affected: [
    {
      package: { ecosystem: 'npm', name },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
    },
  ],
  ...fields,
});

/** An OpenVEX document about one artifact. */
export const vexOf = (vulnerability: string, fingerprint: string, status: string, timestamp: string) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': `https://acme.test/vex/${vulnerability}`,
  version: 1,
  author: 'Acme Security',
  timestamp,
  statements: [
    {
      vulnerability: { name: vulnerability },
      products: [{ '@id': `sha256:${fingerprint}` }],
      status,
      ...(status === 'not_affected' ? { justification: 'component_not_present' } : {}),
    },
  ],
});

/** Imports a file of vulnerabilities or VEX statements. */
export function importVulnerabilities(admin: Caller, file: object): Promise<ImportedVulnerabilities> {
  const form = new FormData();
  form.set('data_json', '{}');
  form.append('attachment_file', new Blob([JSON.stringify(file)]), 'db.json');
  return admin.expect<ImportedVulnerabilities>(201, 'POST', '/vulnerabilities/acme', { form });
}

/** An SBOM with npm packages such as `lib@1.0.0`. */
export function npmSbom(...packages: readonly string[]): string {
  return sbomOf(
    packages.map((name) => {
      const [, base = '', version = ''] = /^(.*)@(.*)$/.exec(name) ?? [];
      return { type: 'library', name: base, version, purl: `pkg:npm/${name}` };
    }),
  );
}

/** Attests an SBOM with npm packages to an artifact of a trail. */
export async function attestSbom(
  caller: Caller,
  { flow, fingerprint, trail = 'build-1' }: { flow: string; fingerprint: string; trail?: string },
  ...packages: readonly string[]
): Promise<void> {
  const form = sbomForm(npmSbom(...packages), fingerprint);
  await caller.expect(201, 'POST', `/attestations/acme/${flow}/trail/${trail}/system`, { form });
}

/** Runs an artifact with the package `lib@1.0.0` in an environment, and has a receiver told what is found there. */
export async function runAndNotify(world: Pick<World, 'as'>, receiver: Receiver): Promise<void> {
  const caller = world.as('member');
  const [env, built, web] = [await environment(caller), await flow(caller), digest('web')];
  const targets = [webhook(receiver.url('/'))];
  await notification(caller, { environments: [env], triggers: ['ON_VULNERABLE_ENV'], targets });
  await post(caller, built, artifact(web, { trail_name: 'build-1' }));
  await attestSbom(caller, { flow: built, fingerprint: web }, 'lib@1.0.0');
  await report(caller, env, [item({ web })]);
}
