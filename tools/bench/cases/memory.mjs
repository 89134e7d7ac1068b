import { setTimeout as sleep } from 'node:timers/promises';
import { memory } from '../measure/process.mjs';
import { startService } from '../measure/service.mjs';
import { spread } from '../measure/stats.mjs';

/** What a service holds that has just started and does nothing, in MB. What it holds under load is read in the cases of reports. */
export async function idle({ rounds, wait, say }) {
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const service = await startService();
    try {
      await fetch(`${service.url}/ready`);
      await sleep(wait);
      measured.push(memory(service.pid).now);
      say(`idle: ${measured.at(-1).toFixed(0)} MB`);
    } finally {
      await service.stop();
    }
  }
  return spread(measured);
}
