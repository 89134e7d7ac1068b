import { join } from 'node:path';
import { first } from '../../common/api.ts';
import { ANSWERS, prepare } from '../bodies.ts';
import { type Embedded, startEmbedded } from '../embedded.ts';
import { load } from '../load.ts';
import { against, alternate, compared, type How, onceIn, type Result } from '../measure.ts';
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

/** Compares the p99 of unchanged reports during a rebuild, and during an export, with that of a service that does nothing else. */
export async function beside(how: How): Promise<Result> {
  const { seconds, connections, say } = how;
  const service = await startEmbedded(operated);
  try {
    await seed(service, how.rebuilt, say);
    const next = (await prepare(service, 'unchanged', 10, connections, say))();
    const reports = () => load(service.url, { connections, seconds, next, expect: ANSWERS.unchanged });
    await reports();
    const during = (task: string) => async () => {
      let over = false;
      const work = (async () => {
        while (!over) await run(service, task);
      })();
      // Thrown below, after the load has ended.
      work.catch(() => undefined);
      try {
        return await reports();
      } finally {
        over = true;
        await work;
      }
    };
    const { pid } = service;
    const tasks = { rebuild: { pid, run: during('rebuild') }, export: { pid, run: during('export') } };
    const rounds = await alternate(how, { alone: { pid, run: reports }, ...tasks });
    const goals = Object.keys(tasks).map((task) => {
      const goal = `unchanged, 10 artifacts: p99 during ${task} at most 3 times that without`;
      return { goal, figure: compared(rounds, task, 'alone', 'p99'), most: 3 };
    });
    return { rows: [], goals, rounds: [rounds] };
  } finally {
    await service.close();
  }
}
