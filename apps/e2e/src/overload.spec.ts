import { setTimeout } from 'node:timers/promises';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { digest, environment, item } from './support/samples';
import { onOwnServices } from './support/world';

const REPORTS = 24;
const ARTIFACTS = 150;

onOwnServices(
  (world) => {
    it('accepts the documented number of large reports, answers the rest with Retry-After, and loses none', async () => {
      const caller = world().as('member');
      const environments: string[] = [];
      for (let i = 0; i < REPORTS; i += 1) environments.push(await environment(caller));
      let waiting = environments;
      let refused = 0;
      while (waiting.length > 0) {
        const answers = await Promise.all(
          waiting.map(async (env) => {
            const artifacts = Array.from({ length: ARTIFACTS }, (_, i) => item({ [`n${i}`]: digest(`${env} ${i}`) }));
            const path = `/environments/acme/${env}/report/docker`;
            return { env, answer: await caller.send('PUT', path, { json: { artifacts } }) };
          }),
        );
        // 429 names the share of the organization, 503 all that the service takes.
        const isBusy = (status: number) => status === 503 || status === 429;
        const busy = answers.filter(({ answer }) => isBusy(answer.status));
        for (const { answer } of busy) {
          expect(answer.headers.get('retry-after')).toBe('1');
          expect(answer.body).toEqual({ message: expect.stringContaining('Try again') });
        }
        for (const { env, answer } of answers.filter(({ answer: { status } }) => !isBusy(status))) {
          expect([answer.status, answer.body]).toEqual([200, 'Report processed, snapshot 1 created']);
          const { artifacts } = await caller.get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
          expect(artifacts).toHaveLength(ARTIFACTS);
        }
        refused += busy.length;
        waiting = busy.map(({ env }) => env);
        // As every answer requested.
        if (busy.length > 0) await setTimeout(1_000);
      }
      expect(refused).toBeGreaterThan(0);
    }, 60_000);
  },
  { ASSURANCE_MAX_REQUESTS_AT_ONCE: '6', ASSURANCE_MAX_BODY_BYTES_AT_ONCE: '80000' },
);
