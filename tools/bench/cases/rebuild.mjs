import { fileURLToPath } from 'node:url';
import { against } from '../measure/against.mjs';
import { alternate } from '../measure/rounds.mjs';
import { startService } from '../measure/service.mjs';
import { seed } from './pages.mjs';

/**
 * Compares a rebuild of the view of deployments with reading the same events through the event store's port. Both run in a process that also serves
 * requests. Figures are commits.
 */
export async function rebuild({ rounds, rebuilt, say }) {
  const service = await startService([], fileURLToPath(new URL('../measure/operated.mjs', import.meta.url)));
  try {
    await seed(service, rebuilt, say);
    const task = (name) => async () => {
      const answer = await fetch(`${service.tasks}/${name}`);
      if (!answer.ok) throw new Error(`${name} failed: ${await answer.text()}`);
      const { commits, seconds } = await answer.json();
      return { requests: commits, seconds, perSecond: commits / seconds, p50: seconds * 1000, p99: seconds * 1000 };
    };
    const all = await alternate(
      { rounds, say },
      {
        rebuild: { pid: service.pid, run: task('rebuild') },
        read: { pid: service.pid, run: task('read') },
      },
    );
    const name = `rebuild of ${rebuilt.toLocaleString('en')} deployments (commits; p50 is the whole)`;
    return { name, rival: 'reading the events', ...against(all, 'rebuild', 'read'), rounds: all };
  } finally {
    await service.stop();
  }
}
