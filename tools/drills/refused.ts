import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { first } from '../common/api.ts';
import type { Drill } from './drill.ts';

/**
 * Checks that an ingestion does not start, and that its log says what to do.
 *
 * @param why what would be wrong if it started
 * @returns how long that took (milliseconds)
 */
export async function refusedStart(drill: Drill, why: string, sentence: string): Promise<number> {
  const begun = performance.now();
  const { folder, ingestion } = drill.stage;
  const log = join(folder, 'services.log');
  const before = readFileSync(log, 'utf8').length;
  const started = await first(ingestion)
    .start()
    .then(
      () => true,
      () => false,
    );
  const told = readFileSync(log, 'utf8').slice(before);
  drill.expect(!started, why);
  drill.expect(told.includes(sentence), `it says: ${told.slice(0, 500)}`);
  return performance.now() - begun;
}
