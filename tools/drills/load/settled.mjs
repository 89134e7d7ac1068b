import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait for judgements (milliseconds). */
export const JUDGED_MS = 600_000;
export const DUE = 'assurance_due_marks{queue="environments"}';
const LAG = 'assurance_feed_lag_commits{group="ingestion"}';

/** Waits until every commit is processed and no judgement is due. */
export async function settled(stage) {
  const rest = async () => {
    const behind = await Promise.all(stage.ingestion.map((one) => one.figure(LAG)));
    return (await stage.ingestion[0].figure(DUE)) + Math.max(...behind);
  };
  const begun = performance.now();
  while ((await rest()) > 0 && performance.now() - begun < JUDGED_MS) await sleep(100);
}
