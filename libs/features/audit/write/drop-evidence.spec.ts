import type { RetentionEvent } from '@assurance/contracts/audit/events';
import { streams as names, SYSTEM } from '@assurance/contracts/events/streams';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { retention } from '@assurance/evidence/domain/retention';
import type { Retention } from '@assurance/evidence/domain/retention-state';
import { accepted } from '@assurance/kernel';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { DropEvidence } from './drop-evidence';
import { progress, RUN_ID, runs } from './place';

const HOUR = 3_600_000;
const ORG = 'acme';

it('removes an hour after the drop, also when the run that dropped was interrupted', async () => {
  const { engines, close } = await openTemporary();
  let now = Date.UTC(2030, 5, 1);
  let ids = 0;
  const streams = new Streams(engines, { now: () => now, id: () => `id-${(ids += 1)}`, random: () => 0 });
  const run = async (steps = 100) => {
    const drop = new DropEvidence(engines, streams, 'ingestion');
    await drop.begin();
    for (let i = 0; i < steps && (await drop.step()); i += 1);
    return drop.timeUntilDue();
  };
  const removedUpTo = async () => (await engines.documents.collection(progress).get(ORG))?.seq;
  const set: RetentionEvent = {
    type: 'RetentionSet',
    version: 1,
    data: { attachments: 30, payloads: 30, snapshots: 30 },
  };
  const by = { org: ORG, actor: SYSTEM, correlation: 'spec' };
  await streams.run<Retention, RetentionEvent, never>(retention, names.retention(ORG), by, () => accepted(set));
  // The first step drops data, the second one finds nothing else to do. Then the run is interrupted before the next organization.
  await run(2);
  expect(await engines.documents.collection(runs).get(RUN_ID)).toEqual({
    after: names.retention(ORG),
    done: false,
    due: now + HOUR,
  });
  now += HOUR / 4;
  expect([await run(), await removedUpTo()]).toEqual([(HOUR / 4) * 3, undefined]);
  now += (HOUR / 4) * 3 - 1;
  expect([await run(), await removedUpTo()]).toEqual([1, undefined]);
  now += 1;
  expect([await run(), await removedUpTo()]).toEqual([HOUR, 2]);
  await close();
});
