import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
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
  policyYaml,
  post,
  report,
} from './support/samples';
import { withUnpacked } from './support/unpacked';
import { onEveryDeployment } from './support/world';

const REVIEWED = policyYaml('  attestations: [{type: pull_request, name: review}]\n');
/** 2100-01-01. */
const END = 4_102_444_800;

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const running = async (allowFirst: boolean) => {
    const [env, built, web] = [await environment(caller()), await flow(caller()), digest(fresh('web'))];
    await post(caller(), built, artifact(web, { trail_name: 'build-1' }));
    await attach(caller(), env, await policy(caller(), REVIEWED));
    const json = { artifact_fingerprint: web, artifact_name: 'web', description: 'by its vendor', expires_at: END };
    const allow = () => caller().expect(201, 'PUT', `/allowlists/acme/${env}`, { json });
    if (allowFirst) await allow();
    await report(caller(), env, [item({ web })]);
    if (!allowFirst) await allow();
    return { env, built, web };
  };

  it.each([true, false])(
    'are told by whom, why and until when in audit packages (allowed first: %p)',
    async (allowFirst) => {
      const { env, built } = await running(allowFirst);
      const { content } = await caller().bytes(`/trails/acme/${built}/build-1/audit_package`);
      await withUnpacked(content, (tar) => {
        const file = tar.one(/artifact\.json$/);
        const { ran } = tar.json<{ ran: readonly { allowed: { when: string } }[] }>(file);
        const { when } = tar.json<{ when: string }>('manifest.json');
        expect(when >= (ran[0]?.allowed.when ?? '')).toBe(true);
        expect(ran).toMatchObject([
          {
            environment: { name: env },
            compliant: true,
            allowed: {
              by_whom: { name: 'ci-member' },
              why: 'by its vendor',
              until: '2100-01-01T00:00:00.000Z',
              recorded: { stream: expect.stringMatching(/^environment\//), seq: expect.any(Number) },
            },
          },
        ]);
      });
    },
  );

  it('are listed alone where they are asked for', async () => {
    const { env, web } = await running(true);
    const tool = digest(fresh('tool'));
    await report(caller(), env, [item({ web }), item({ tool })]);
    const { artifacts, artifact_page } = await caller().get<SnapshotAnswer>(
      `/snapshots/acme/${env}/-1?show=allowed&per_page=5`,
    );
    expect(artifact_page?.total_count).toBe(1);
    expect(artifacts).toMatchObject([{ fingerprint: web, allow_listing: { description: 'by its vendor' } }]);
  });

  it('are told by whom, why and until when in logical environments', async () => {
    const { env } = await running(true);
    const all = await environment(caller(), { type: 'logical', included_environments: [env] });
    const united = await eventually(
      () => caller().send('GET', `/snapshots/acme/${all}/-1`),
      ({ status }) => status === 200,
    );
    expect(united.status).toBe(200);
    const { artifacts } = await caller().get<SnapshotAnswer>(`/snapshots/acme/${all}/-1`);
    expect(artifacts).toMatchObject([
      { compliant: true, allow_listing: { description: 'by its vendor', expires_at: END } },
    ]);
  });
});
