import { setTimeout as sleep } from 'node:timers/promises';
import { memory } from '../measure/process.mjs';
import { startService } from '../measure/service.mjs';
import { spread } from '../measure/stats.mjs';

/** Measures the memory of an idle service after its start (MB). Cases of reports measure memory under load. */
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
