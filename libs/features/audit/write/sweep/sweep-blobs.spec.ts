import { createHash } from 'node:crypto';
import { organization } from '@assurance/access/domain/organization';
import type { OrganizationEvent } from '@assurance/contracts/access/events';
import type { RetentionEvent } from '@assurance/contracts/audit/events';
import { streams as names, SYSTEM } from '@assurance/contracts/events/streams';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { retention } from '@assurance/evidence/domain/retention';
import { accepted } from '@assurance/kernel';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { SweepBlobs } from './sweep-blobs';

const HOUR = 3_600_000;
const ORG = 'acme';

it('deletes nothing of an organization where a hold was placed after the marks began, until the next sweep', async () => {
  let now = Date.now();
  const { engines, close } = await openTemporary();
  let ids = 0;
  const streams = new Streams(engines, { now: () => now, id: () => `id-${(ids += 1)}`, random: () => 0 });
  const by = { org: ORG, actor: SYSTEM, correlation: 'spec' };
  const created: OrganizationEvent = {
    type: 'OrganizationCreated',
    version: 1,
    data: { id: ORG, name: ORG, personal: false },
  };
  await streams.run(organization, names.organization(ORG), by, () => accepted(created));
  const bytes = Buffer.from('evidence that no mark names');
  await engines.blobs.put(
    ORG,
    (async function* () {
      yield bytes;
    })(),
    bytes.length,
  );
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const sweep = new SweepBlobs(engines, () => now, 'ingestion');
  const finish = async () => {
    while (await sweep.step());
    return (await engines.blobs.stat(ORG, sha256)) !== null;
  };
  now += 2 * HOUR;
  await sweep.begin();
  // The marks are made.
  await sweep.step();
  now += HOUR;
  const hold: RetentionEvent = { type: 'HoldPlaced', version: 1, data: { flow: 'f', trail: null, reason: 'case 7' } };
  await streams.run(retention, names.retention(ORG), by, () => accepted(hold));
  expect(await finish()).toBe(true);
  now += HOUR;
  await sweep.begin();
  expect(await finish()).toBe(false);
  await close();
});
