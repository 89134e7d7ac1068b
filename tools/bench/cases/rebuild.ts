import { join } from 'node:path';
import { first } from '../../common/api.ts';
import { type Embedded, startEmbedded } from '../embedded.ts';
import { against, alternate, type How, onceIn, type Result } from '../measure.ts';
import { seed } from './lists.ts';

/** A service with a second port, through which it takes tasks: `operated.ts`. */
const operated = () => ['--max-semi-space-size=16', join(import.meta.dirname, '../operated.ts')];

async function run(service: Embedded, task: string): Promise<{ readonly commits: number; readonly seconds: number }> {
  const answer = await fetch(`${first(service.gateway).child.tasks}/${task}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${task} failed: ${text}`);
  return JSON.parse(text) as { commits: number; seconds: number };
}

/**
 * Compares a rebuild of the view of deployments with reading the same events through the event store's port. Both run in a process that also serves
 * requests. Figures are commits.
 */
export async function rebuild(how: How): Promise<Result> {
  const service = await startEmbedded(operated);
  try {
    await seed(service, how.rebuilt, how.say);
    const contender = (task: string) => ({
      pid: service.pid,
      run: async () => {
        const { commits, seconds } = await run(service, task);
        return onceIn(seconds, commits);
      },
    });
    const rounds = await alternate(how, { rebuild: contender('rebuild'), read: contender('read') });
    const name = `rebuild of ${how.rebuilt.toLocaleString('en')} deployments (commits; p50 is the whole)`;
    const row = { name, rival: 'reading the events', ...against(rounds, 'rebuild', 'read') };
    const goal = { goal: 'rebuild: at least 0.4 of reading the same events', figure: row.ratio, least: 0.4 };
    return { rows: [row], goals: [goal], rounds: [rounds] };
  } finally {
    await service.close();
  }
}
