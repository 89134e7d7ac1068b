import { eventually } from './support/eventually';
import { notification, webhook } from './support/notifying';
import { Receiver } from './support/receiver';
import { artifact, digest, environment, flow, fresh, item, post, report } from './support/samples';
import { attestSbom, importVulnerabilities, npmEntry, vexOf } from './support/vulnerable';
import { onEveryDeployment } from './support/world';

interface VulnerabilityMessage {
  readonly event_type: string;
  readonly environment: string;
  readonly artifact: null;
  readonly description: string;
  readonly vulnerability: { readonly id: string; readonly component: string };
}

let receiver: Receiver;
beforeAll(async () => (receiver = await Receiver.start()));
afterAll(() => receiver.stop());

describe('an environment with a vulnerability', () => {
  onEveryDeployment((world) => {
    const caller = () => world().as('member');
    const admin = () => world().as('admin');
    const messages = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(body) as VulnerabilityMessage);
    /** All messages when one more has arrived: each later fact is sent after the earlier ones. */
    const untilTold = (path: string, id: string) =>
      eventually(
        () => Promise.resolve(messages(path)),
        (all) => all.some(({ vulnerability }) => vulnerability.id === id),
      );
    const running = (...fingerprints: readonly string[]) =>
      fingerprints.map((fingerprint) => item({ [`shop/${fingerprint.slice(0, 8)}`]: fingerprint }));

    async function listening() {
      const [env, path] = [await environment(caller()), `/${fresh('hook')}`];
      const targets = [webhook(receiver.url(path))];
      await notification(caller(), { environments: [env], triggers: ['ON_VULNERABLE_ENV'], targets });
      return { env, path };
    }

    async function built(...packages: readonly string[]) {
      const [name, fingerprint] = [await flow(caller()), digest(fresh('artifact'))];
      await post(caller(), name, artifact(fingerprint, { trail_name: 'build-1' }));
      if (packages.length > 0) await attestSbom(caller(), { flow: name, fingerprint }, ...packages);
      return { flow: name, fingerprint };
    }

    it('is notified once for all artifacts that have it, and not again for imports, snapshots or other names', async () => {
      const { env, path } = await listening();
      const [lib, cve, ghsa] = [fresh('lib'), `CVE-2024-${fresh('1')}`, `GHSA-${fresh('a')}`];
      const [firstArtifact, secondArtifact, thirdArtifact] = [
        await built(`${lib}@1.0.0`),
        await built(`${lib}@1.0.0`),
        await built(`${lib}@1.1.0`),
      ];
      await report(caller(), env, running(firstArtifact.fingerprint, secondArtifact.fingerprint));
      await importVulnerabilities(admin(), npmEntry(ghsa, lib));
      const [first] = await untilTold(path, ghsa);
      expect(first).toMatchObject({
        event_type: 'VULNERABLE_ENV',
        environment: env,
        artifact: null,
        snapshot: { index: '1' },
        vulnerability: { id: ghsa, severity: 'high', component: `pkg:npm/${lib}@1.0.0`, certain: true },
      });
      expect(first?.description).toContain(`has ${ghsa} (high)`);
      // Another name, a newer version of the entry, and another artifact with it.
      const modified = '2024-05-01T00:00:00Z';
      await importVulnerabilities(admin(), npmEntry(ghsa, lib, { modified, aliases: [cve] }));
      await importVulnerabilities(admin(), npmEntry(cve, lib));
      await report(
        caller(),
        env,
        running(firstArtifact.fingerprint, secondArtifact.fingerprint, thirdArtifact.fingerprint),
      );
      // It ended and started again.
      await report(caller(), env, running((await built('none@1.0.0')).fingerprint));
      await report(caller(), env, running(firstArtifact.fingerprint));
      const last = `CVE-2024-${fresh('8')}`;
      await importVulnerabilities(admin(), npmEntry(last, lib));
      expect((await untilTold(path, last)).map(({ vulnerability }) => vulnerability.id)).toEqual([ghsa, last]);
    });

    it('notifies when a new artifact or SBOM brings a vulnerability, unless a VEX statement excludes it', async () => {
      const { env, path } = await listening();
      const [left, right, out] = [fresh('left'), fresh('right'), fresh('out')];
      const [a, b, c] = [`CVE-2024-${fresh('3')}`, `CVE-2024-${fresh('4')}`, `CVE-2024-${fresh('5')}`];
      await importVulnerabilities(admin(), [npmEntry(a, left), npmEntry(b, right), npmEntry(c, out)]);
      const [firstArtifact, secondArtifact] = [await built(`${left}@1.0.0`, `${out}@1.0.0`), await built()];
      await importVulnerabilities(admin(), vexOf(c, firstArtifact.fingerprint, 'not_affected', '2024-02-01T00:00:00Z'));
      await report(caller(), env, running(firstArtifact.fingerprint));
      await untilTold(path, a);
      await report(caller(), env, running(firstArtifact.fingerprint, secondArtifact.fingerprint));
      await attestSbom(caller(), secondArtifact, `${right}@1.0.0`);
      expect((await untilTold(path, b)).map(({ vulnerability }) => vulnerability.id)).toEqual([a, b]);
      await importVulnerabilities(admin(), vexOf(c, firstArtifact.fingerprint, 'affected', '2024-03-01T00:00:00Z'));
      expect((await untilTold(path, c)).map(({ vulnerability }) => vulnerability.id)).toEqual([a, b, c]);
    });

    it('notifies for a logical environment and its members', async () => {
      const { env: member } = await listening();
      const logical = fresh('all');
      const json = { name: logical, type: 'logical', included_environments: [member] };
      await admin().expect(201, 'PUT', '/environments/acme', { json });
      const path = `/${fresh('hook')}`;
      const targets = [webhook(receiver.url(path))];
      await notification(caller(), { environments: [logical], triggers: ['ON_VULNERABLE_ENV'], targets });
      const [lib, cve] = [fresh('lib'), `CVE-2024-${fresh('6')}`];
      await importVulnerabilities(admin(), npmEntry(cve, lib));
      await report(caller(), member, running((await built(`${lib}@1.0.0`)).fingerprint));
      expect((await untilTold(path, cve))[0]).toMatchObject({ environment: logical });
    });
  });
});
