import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { ErrorBody } from '@assurance/contracts/http/answers/common';
import type { AssertAnswer } from '@assurance/contracts/policies/answers/decision';
import type { PolicyDraftAnswer } from '@assurance/contracts/policies/answers/draft';
import { startAtTime } from './support/deployments';
import { eventually } from './support/eventually';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  fresh,
  item,
  policy,
  policyForm,
  policyYaml,
  post,
  report,
  sbomForm,
  sbomOf,
} from './support/samples';
import { TestClock } from './support/test-clock';
import { attestSbom, importVulnerabilities, npmEntry, vexOf } from './support/vulnerable';
import { onEveryDeployment, worldOf } from './support/world';

const accepting = (rule: string) => policyYaml(`  vulnerabilities: {${rule}}\n`);
const DAY = 24 * 3_600_000;

describe('a policy about vulnerabilities', () => {
  onEveryDeployment((world) => {
    const caller = () => world().as('member');
    const admin = () => world().as('admin');
    const newest = (env: string) => caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
    const judged = (env: string, expected: boolean) =>
      eventually(
        () => newest(env),
        ({ artifacts }) => artifacts[0]?.compliant === expected,
      );

    /** An artifact of a flow, and an environment with a policy that runs it. */
    async function running(yaml: string, ...packages: readonly string[]) {
      const [env, built, web] = [await environment(caller()), await flow(caller()), digest(fresh('web'))];
      await post(caller(), built, artifact(web, { trail_name: 'build-1' }));
      if (packages.length > 0) await attestSbom(caller(), { flow: built, fingerprint: web }, ...packages);
      const name = await policy(caller(), yaml);
      await attach(caller(), env, name);
      await report(caller(), env, [item({ web })]);
      return { env, built, web, name };
    }

    it('refuses what cannot be compared, unless it says that it accepts that, and counts it', async () => {
      await importVulnerabilities(admin(), npmEntry(`CVE-2024-${fresh('9')}`, fresh('other')));
      const strict = await running(accepting('max_severity: high'), 'left@1.0.0');
      await judged(strict.env, true);
      const attest = (...components: readonly object[]) =>
        caller().expect(201, 'POST', `/attestations/acme/${strict.built}/trail/build-1/system`, {
          form: sbomForm(sbomOf(components), strict.web),
        });
      const left = { type: 'library', name: 'left', version: '1.0.0', purl: 'pkg:npm/left@1.0.0' };
      const log4j = { type: 'library', name: 'log4j', version: '1.2.17', purl: 'pkg:maven/log4j@1.2.17' };
      const openssl = {
        type: 'application',
        name: 'openssl',
        version: '1.0.1',
        cpe: 'cpe:2.3:a:openssl:openssl:1.0.1',
      };
      const file = { type: 'file', name: '/bin/sh', version: '1' };
      await attest(left, log4j, openssl, file);
      const why = 'nobody knows all its vulnerabilities: it has components that no database can be compared with';
      const refusedBecause = async (reason: string) => {
        const [running] = (await judged(strict.env, false)).artifacts;
        expect(running?.reasons_for_incompliance).toEqual([expect.stringContaining(reason)]);
      };
      await refusedBecause(why);
      for (const path of [`artifacts/${strict.web}`, `environments/${strict.env}`]) {
        expect(await caller().get(`/components/acme/${path}`)).toMatchObject({ unmatched_components: 2 });
      }
      expect(await caller().get(`/vulnerabilities/acme/artifacts/${strict.web}`)).toMatchObject({
        unmatched_components: 2,
      });
      expect(await caller().get(`/components/acme?name=left&environment=${strict.env}`)).toMatchObject({
        unmatched_components: 2,
      });
      expect(await caller().get(`/components/acme?name=left&flow=${strict.built}`)).toMatchObject({
        unmatched_components: 2,
      });
      expect(
        await caller().get(`/components/acme?name=left&flow=${strict.built}&environment=${strict.env}`),
      ).toMatchObject({
        unmatched_components: 2,
      });
      const exposure = await caller().get(`/vulnerabilities/acme/exposure/${strict.env}`);
      expect(exposure).toMatchObject({ now: { unmatched_components: 2 } });
      await attest(left);
      await judged(strict.env, true);
      await attest();
      await refusedBecause('nobody knows its vulnerabilities: its SBOM lists no component');

      const lenient = await environment(caller());
      await attach(caller(), lenient, await policy(caller(), accepting('max_severity: high, allow_unmatched: true')));
      await attest(left, log4j);
      await report(caller(), lenient, [item({ web: strict.web })]);
      await judged(lenient, true);
    });

    it('is satisfied by a statement about the root of the SBOM, and by one about its serial number', async () => {
      const [lib, cve] = [fresh('lib'), `CVE-2024-${fresh('1')}`];
      await importVulnerabilities(admin(), npmEntry(cve, lib));
      const { env, built, web } = await running(accepting('max_severity: medium'));
      const serial = '3e671687-395b-41f5-a30f-a58921a69b79';
      const shop = { type: 'application', name: fresh('shop'), version: '1.0', purl: `pkg:npm/${fresh('shop')}@1.0` };
      const component = { type: 'library', name: lib, version: '1.0.0', purl: `pkg:npm/${lib}@1.0.0` };
      const more = { serialNumber: `urn:uuid:${serial}`, metadata: { component: shop } };
      const form = sbomForm(sbomOf([component], more), web);
      await caller().expect(201, 'POST', `/attestations/acme/${built}/trail/build-1/system`, { form });
      const state = async () => {
        const { vulnerabilities } = await caller().get<{ vulnerabilities: { vex: { status: string } | null }[] }>(
          `/vulnerabilities/acme/artifacts/${web}`,
        );
        return vulnerabilities.map(({ vex }) => vex?.status ?? null);
      };
      const about = (id: string, status: string, timestamp: string) => {
        const { statements, ...document } = vexOf(cve, web, status, timestamp);
        return { ...document, statements: statements.map((one) => ({ ...one, products: [{ '@id': id }] })) };
      };
      await judged(env, false);
      expect(await state()).toEqual([null]);
      await importVulnerabilities(admin(), about(shop.purl, 'not_affected', '2024-02-01T00:00:00Z'));
      await judged(env, true);
      expect(await state()).toEqual(['not_affected']);
      await importVulnerabilities(admin(), about(`urn:cdx:${serial}/1`, 'affected', '2024-03-01T00:00:00Z'));
      await judged(env, false);
      expect(await state()).toEqual(['affected']);
      await importVulnerabilities(admin(), about('pkg:npm/elsewhere@1.0', 'fixed', '2024-04-01T00:00:00Z'));
      expect(await state()).toEqual(['affected']);
      const { vex } = await caller().get<{ vex: object }>(`/vulnerabilities/acme/${cve}`);
      expect(vex).toMatchObject({ affected: 1, none: 0 });
    });

    it('judges again when an entry, a VEX statement or another SBOM comes, and names what it found', async () => {
      const [lib, cve] = [fresh('lib'), `CVE-2024-${fresh('1')}`];
      await importVulnerabilities(admin(), npmEntry(`CVE-2024-${fresh('9')}`, fresh('other')));
      const { env, built, web, name } = await running(accepting('max_severity: medium'), `${lib}@1.0.0`, 'other@1.0.0');
      await judged(env, true);
      await importVulnerabilities(admin(), npmEntry(`GHSA-${fresh('a')}`, lib, { aliases: [cve] }));
      const reason = `policy '${name}': component pkg:npm/${lib}@1.0.0 has ${cve} (high)`;
      const context = { flow_name: built, trail_name: 'build-1', artifact_status: null };
      const rule = {
        type: 'vulnerabilities',
        definition: { max_severity: 'medium', grace_days: 0, allow_unmatched: false, exceptions: [] },
      };
      const resolutions = [{ type: 'non_compliant_attestation', reason: 'vulnerable_component', context }];
      expect(await judged(env, false)).toMatchObject({
        artifacts: [
          {
            reasons_for_incompliance: [reason],
            policy_decisions: [{ rule_evaluations: [{}, {}, { rule, satisfied: false, ignored: false, resolutions }] }],
          },
        ],
        applied_policies: [{ policy_dump: { artifacts: { vulnerabilities: rule.definition } } }],
      });
      const asserted = await caller().get<AssertAnswer>(`/asserts/acme/fingerprint/${web}?environment_name=${env}`);
      expect(asserted).toMatchObject({ compliant: false });
      await importVulnerabilities(admin(), vexOf(cve, web, 'not_affected', '2024-02-01T00:00:00Z'));
      expect(await judged(env, true)).toMatchObject({ artifacts: [{ reasons_for_incompliance: [] }] });
      await importVulnerabilities(admin(), vexOf(cve, web, 'affected', '2024-03-01T00:00:00Z'));
      await judged(env, false);
      await attestSbom(caller(), { flow: built, fingerprint: web }, `${lib}@2.0.0`);
      await judged(env, true);
      await attestSbom(caller(), { flow: built, fingerprint: web }, `${lib}@1.5.0`);
      await judged(env, false);
      await importVulnerabilities(admin(), vexOf(cve, web, 'fixed', '2024-04-01T00:00:00Z'));
      await judged(env, true);
    });

    it('is not satisfied without an SBOM, and says so', async () => {
      await importVulnerabilities(admin(), npmEntry(`CVE-2024-${fresh('9')}`, fresh('other')));
      const { env, name } = await running(accepting('max_severity: critical'));
      expect(await newest(env)).toMatchObject({
        index: 1,
        compliant: false,
        artifacts: [
          {
            reasons_for_incompliance: [`policy '${name}': nobody knows its vulnerabilities: the artifact has no SBOM`],
            policy_decisions: [
              {
                rule_evaluations: [
                  {},
                  {},
                  { satisfied: false, resolutions: [{ type: 'missing_attestation', reason: 'missing_sbom' }] },
                ],
              },
            ],
          },
        ],
      });
    });

    it('leaves out what an exception names, until its end, and is judged as a draft', async () => {
      const [lib, cve] = [fresh('lib'), `CVE-2024-${fresh('2')}`];
      await importVulnerabilities(admin(), npmEntry(cve, lib));
      const until = (time: string) => `max_severity: none, exceptions: [{vulnerability: ${cve}, until: "${time}"}]`;
      const { env, web, name } = await running(accepting(until('2999-01-01T00:00:00Z')), `${lib}@1.0.0`);
      await judged(env, true);
      const draft = { json: { policy_yaml: accepting('max_severity: low') } };
      const answer = eventually(
        () => caller().expect<PolicyDraftAnswer>(200, 'POST', `/policies/acme/${name}/draft`, draft),
        ({ changes }) => changes.length > 0,
      );
      expect(await answer).toMatchObject({
        running: { judged: 1, become_non_compliant: 1 },
        changes: [{ environment: env, fingerprint: web, compliant: false }],
      });
      await policy(caller(), accepting(until('2020-01-01T00:00:00Z')), name);
      await judged(env, false);
      await policy(caller(), accepting('max_severity: high'), name);
      await judged(env, true);
    });

    it('is refused with the place of what is wrong', async () => {
      const refused = async (rule: string) => {
        const form = policyForm({ name: fresh('wrong') }, accepting(rule));
        const { status, body } = await caller().send('PUT', '/policies/acme', { form });
        return [status, (body as ErrorBody).errors];
      };
      const at = (field: string, problem: unknown) => [
        400,
        { [`policy_file.artifacts.vulnerabilities${field}`]: problem },
      ];
      expect(await refused('grace_days: 1')).toEqual(at('.max_severity', expect.stringContaining('Field required')));
      expect(await refused('max_severity: mild')).toEqual(
        at('.max_severity', expect.stringContaining('one of none, low, medium, high, critical [input: mild]')),
      );
      expect(await refused('max_severity: low, grace_days: 0.5')).toEqual(
        at('.grace_days', expect.stringContaining('whole number of days from 0 to 3650 [input: 0.5]')),
      );
      expect(await refused('max_severity: low, exceptions: [{vulnerability: 7}]')).toEqual(
        at('.exceptions.0.vulnerability', expect.stringContaining('name of a vulnerability')),
      );
    });
  });

  it('says that nothing was imported, and refuses a vulnerability when its grace period ends', async () => {
    const clock = new TestClock(1_900_000_000_000);
    const service = await startAtTime(clock);
    const world = await worldOf(service);
    const [caller, admin] = [world.as('member'), world.as('admin')];
    const [env, built, web] = [await environment(caller), await flow(caller), digest('web')];
    const newest = () => caller.get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
    const judged = (expected: boolean) => eventually(newest, ({ artifacts }) => artifacts[0]?.compliant === expected);
    await post(caller, built, artifact(web, { trail_name: 'build-1' }));
    await attestSbom(caller, { flow: built, fingerprint: web }, 'lib@1.0.0');
    const name = await policy(caller, accepting('max_severity: none, grace_days: 2'));
    await attach(caller, env, name);
    await report(caller, env, [item({ web })]);
    expect(await newest()).toMatchObject({
      compliant: false,
      artifacts: [
        {
          reasons_for_incompliance: [
            `policy '${name}': nobody knows its vulnerabilities: no database of vulnerabilities is imported`,
          ],
        },
      ],
    });
    const published = new Date(clock.now - DAY).toISOString();
    await importVulnerabilities(admin, npmEntry('CVE-2030-1', 'lib', { published, modified: published }));
    await judged(true);
    await clock.set(clock.now + DAY - 1);
    expect(await newest()).toMatchObject({ compliant: true });
    await clock.set(clock.now + 1);
    expect(await judged(false)).toMatchObject({
      artifacts: [
        { reasons_for_incompliance: [`policy '${name}': component pkg:npm/lib@1.0.0 has CVE-2030-1 (high)`] },
      ],
    });
  });
});
