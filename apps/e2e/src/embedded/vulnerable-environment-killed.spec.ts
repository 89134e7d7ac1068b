import { join } from 'node:path';
import type { Engines } from '@assurance/storage-ports';
import { exposureItems } from '@assurance/vulnerabilities/write/exposure-worker';
import { BOOTSTRAP } from '../support/declared';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { payloads } from '../support/notifying';
import { Place } from '../support/process';
import { Receiver } from '../support/receiver';
import { importVulnerabilities, npmEntry, runAndNotify } from '../support/vulnerable';
import { worldOf } from '../support/world';

const MINUTE = 60_000;
/** How often the work ends between the event and the note that it is done. */
const ENDS = 2;
const TARGETS = { ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8' };

const ids = (all: readonly Record<string, unknown>[]) =>
  all.map(({ vulnerability }) => (vulnerability as { readonly id: string }).id);

it('tells a vulnerability once, also where the process ends between the event and the note that its work is done', async () => {
  let now = Date.now();
  let ended = 0;
  let fails = false;
  const receiver = await Receiver.start();
  const installation = new Installation(TARGETS, () => now);
  const failing = (engines: Engines): Engines => {
    const { documents } = engines;
    const collection = documents.collection.bind(documents);
    documents.collection = (definition) => {
      const result = collection(definition);
      if (definition.name !== exposureItems.name) return result;
      return Object.assign(Object.create(result) as typeof result, {
        merge: async (...[keys, change]: Parameters<typeof result.merge>) => {
          // Only the note that the work is done makes an item due no more.
          let isNote = false;
          await result.merge(keys, (current, id) => {
            const after = change(current, id);
            const isDone = (after as { readonly due?: boolean } | null | undefined)?.due === false;
            isNote = fails && ended < ENDS && isDone;
            return isNote ? undefined : after;
          });
          if (!isNote) return;
          ended += 1;
          throw new Error('the process ends here');
        },
      });
    };
    return engines;
  };
  await installation.open(failing);
  const world = await worldOf(await installation.start());
  await runAndNotify(world, receiver);
  fails = true;
  await importVulnerabilities(world.as('admin'), npmEntry('CVE-2024-1', 'lib'));
  // After the lease the work is done again.
  await eventually(
    () => {
      now += MINUTE;
      return ended;
    },
    (count) => count === ENDS,
  );
  await importVulnerabilities(world.as('admin'), npmEntry('CVE-2024-2', 'lib'));
  expect(ids(await payloads(receiver, '/', 2))).toEqual(['CVE-2024-1', 'CVE-2024-2']);
  await installation.clear();
  await receiver.stop();
}, 120_000);

it('sends once what a killed process had not sent', async () => {
  const receiver = await Receiver.start();
  const place = new Place();
  const env = {
    ...TARGETS,
    ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
    ASSURANCE_LOG_LEVEL: 'error',
  };
  const first = place.start(env);
  const world = await worldOf({ url: await first.url() });
  await runAndNotify(world, receiver);
  await importVulnerabilities(world.as('admin'), npmEntry('CVE-2024-1', 'lib'));
  await first.kill();

  const installation = new Installation(TARGETS, () => Date.now());
  const later = await worldOf(await installation.start({ ASSURANCE_DATA_DIR: join(place.folder, 'data') }));
  await payloads(receiver, '/', 1);
  await importVulnerabilities(later.as('admin'), npmEntry('CVE-2024-2', 'lib'));
  expect(ids(await payloads(receiver, '/', 2))).toEqual(['CVE-2024-1', 'CVE-2024-2']);
  await installation.clear();
  await place.clear();
  await receiver.stop();
}, 120_000);
