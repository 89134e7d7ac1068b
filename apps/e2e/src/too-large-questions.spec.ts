import { SEARCH_MAX } from '@assurance/components/read/components/find';
import { INVENTORY_MAX } from '@assurance/components/read/components/inventory';
import { RUNS_MAX } from '@assurance/components/read/components/runs';
import type { EnvironmentComponents } from '@assurance/contracts/components/answers/components';
import type { EnvironmentExposure } from '@assurance/contracts/vulnerabilities/answers/exposure';
import type { VulnerabilityList } from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import { EXPOSURE_MAX } from '@assurance/vulnerabilities/read/exposed-artifacts';
import { LIST_BYTES } from '@assurance/vulnerabilities/read/vulnerabilities/listed';
import { deployments } from './support/deployments';
import { artifact, digest, environment, flow, fresh, item, post, report } from './support/samples';
import { attestSbom, importVulnerabilities, npmEntry } from './support/vulnerable';
import { onOwnServices } from './support/world';

/** In the process of this spec, which lowers limits that no spec reaches. A clock makes a deployment start here. */
const here = deployments.map(({ name, start }) => ({
  name,
  start: (settings?: Parameters<typeof start>[0]) => start(settings, () => Date.now()),
}));
const DAY = 86_400;
const now = Math.floor(Date.now() / 1_000);
const [lib, fingerprint] = [fresh('lib'), digest(fresh('artifact'))];
const cve = 'CVE-2024-12345';
const COMPONENTS = 'than one answer can be made of';

describe('questions for components and vulnerabilities that are too large', () => {
  onOwnServices(
    (world) => {
      const admin = () => world().as('admin');
      let [env, members] = ['', ''];

      beforeAll(async () => {
        [env, members] = [await environment(admin()), fresh('members')];
        const name = await flow(admin());
        await post(admin(), name, artifact(fingerprint, { trail_name: 'build-1' }));
        await attestSbom(admin(), { flow: name, fingerprint }, `${lib}@1.0.0`, `${lib}@1.1.0`);
        const many = Array.from({ length: 101 }, (_, i) => npmEntry(`OSV-${i}`, 'other', { aliases: ['ALL'] }));
        await importVulnerabilities(admin(), [npmEntry(cve, lib), ...many]);
        for (const items of [[item({ web: fingerprint })], [], [item({ web: fingerprint })]]) {
          await report(admin(), env, items);
        }
        const included_environments = [env];
        for (let i = 0; i < 5; i += 1) included_environments.push(await environment(admin()));
        const json = { name: members, type: 'logical', included_environments };
        await admin().expect(201, 'PUT', '/environments/acme', { json });
        // All is there, and within the limits.
        expect(await admin().get<VulnerabilityList>(`/vulnerabilities/acme?environment=${env}`)).toMatchObject({
          total_count: 1,
        });
        expect(await admin().get<EnvironmentExposure>(`/vulnerabilities/acme/exposure/${env}`)).toMatchObject({
          now: { high: 1 },
        });
        expect(await admin().get<EnvironmentComponents>(`/components/acme/environments/${env}`)).toMatchObject({
          total_count: 2,
        });
      }, 60_000);

      const limited = <Limit extends string>(limits: Readonly<Record<Limit, number>>, limit: Limit, most: number) =>
        [limits as Record<string, number>, limit, most] as const;
      const inventory = limited<keyof typeof INVENTORY_MAX>(INVENTORY_MAX, 'components', 1);
      const list = '/vulnerabilities/acme';
      const snapshot = (index: number) => `${encodeURIComponent(`${env}#${index}`)}`;
      it.each<[string, ReturnType<typeof limited>, () => string, string]>([
        ['fingerprint', inventory, () => `/components/acme/artifacts/${fingerprint}`, COMPONENTS],
        ['env', inventory, () => `/components/acme/environments/${env}`, COMPONENTS],
        [
          'snappish1',
          inventory,
          () => `/components/acme/compare?snappish1=${snapshot(1)}&snappish2=${snapshot(2)}`,
          COMPONENTS,
        ],
        [
          'snappish2',
          inventory,
          () => `/components/acme/compare?snappish1=${snapshot(2)}&snappish2=${snapshot(1)}`,
          COMPONENTS,
        ],
        ['name', limited(SEARCH_MAX, 'matches', 1), () => `/components/acme?name=${lib}`, 'More than 1 components'],
        [
          'purl',
          limited(SEARCH_MAX, 'matches', 1),
          () => `/components/acme?purl=pkg:npm/${lib}`,
          'More than 1 components',
        ],
        ['environment', inventory, () => `${list}?environment=${env}`, 'More components run there'],
        ['fingerprint', inventory, () => `${list}/artifacts/${fingerprint}`, 'more vulnerabilities or components'],
        [
          'fingerprint',
          limited(RUNS_MAX, 'ofOne', 1),
          () => `${list}/artifacts/${fingerprint}`,
          'It started more than 1 times',
        ],
        [
          'env',
          limited(RUNS_MAX, 'ofOne', 1),
          () => `${list}/exposure/${env}`,
          `${fingerprint} started there more than 1 times`,
        ],
        [
          'start_ts',
          limited(EXPOSURE_MAX, 'artifacts', 0),
          () => `${list}/exposure/${env}`,
          'More artifacts ran there',
        ],
        ['start_ts', limited(EXPOSURE_MAX, 'parts', 0), () => `${list}/exposure/${env}`, 'More components ran there'],
        ['min_severity', limited(LIST_BYTES, 'names', 1), () => list, 'have more names'],
        ['page', limited(LIST_BYTES, 'rows', 1), () => list, `The vulnerability '${cve}' of this page`],
      ])('are refused with the field %s and what to do', async (field, [limits, limit, most], path, problem) => {
        const lowered = jest.replaceProperty(limits, limit, most);
        const refusal = await admin()
          .refused(400, 'GET', path())
          .finally(() => lowered.restore());
        expect(refusal).toMatchObject({ errors: { [field]: expect.stringContaining(problem) as unknown } });
      });

      it.each<[string, () => string, string]>([
        ['id', () => `${list}/all`, COMPONENTS],
        [
          'start_ts',
          () => `${list}/exposure/${members}?start_ts=${now - 365 * DAY}&end_ts=${now}`,
          '6 members: ask for at most 305 days',
        ],
      ])('are refused with the field %s at limits as they are', async (field, path, problem) => {
        const refusal = await admin().refused(400, 'GET', path());
        expect(refusal).toMatchObject({ errors: { [field]: expect.stringContaining(problem) as unknown } });
      });
    },
    {},
    here,
  );
});
