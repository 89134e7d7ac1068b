import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind } from '../bodies.ts';
import { compare, type Reported } from '../compare.ts';
import { type Embedded, readFrom, startEmbedded } from '../embedded.ts';
import {
  against,
  bytesWritten,
  type Goal,
  type How,
  memory,
  type Result,
  type Row,
  single,
  spread,
} from '../measure.ts';

/** Compares reports with a bare server: one that parses them, or a journal that syncs as many bytes as their commit has. */
export async function reports(kind: Kind, count: number, how: How): Promise<Result> {
  await using service = await startEmbedded();
  const journal = join(service.folder, 'journal');
  const rival = kind === 'changed' ? 'journal' : 'parser';
  const args = async () => [journal, kind === 'changed' ? String(await commitBytes(service.file)) : ''];
  const rounds = await compare(onOneProcess(service), { kind, count, rival, args }, how);
  const name = `${kind} reports, ${count.toLocaleString('en')} artifacts`;
  const row: Row = { name, rival, ...against(rounds, 'service', rival), memory: memory(service.pid).most };
  const goals: Goal[] = [{ goal: `${name}: below 400 MB under load`, figure: single(row.memory ?? NaN), most: 400 }];
  const least = kind === 'changed' ? 0.1 : 0.4;
  if (count === 10) goals.push({ goal: `${name}: at least ${least} of the ${rival}`, figure: row.ratio, least });
  return { rows: [row], goals, rounds: [rounds] };
}

/** Measures bytes written as the work of one process. */
export const onOneProcess = (service: Embedded): Reported => ({
  service,
  pids: [service.pid],
  work: () => bytesWritten(service.pid),
});

/** The average size of the newest commits of environments (bytes). The journal writes as much for a report. */
function commitBytes(file: string): Promise<number> {
  const newest = `SELECT octet_length(body) AS size FROM commits WHERE stream LIKE 'environment/%' ORDER BY position DESC LIMIT 100`;
  return readFrom(file, (db) =>
    Math.round(Number(db.prepare(`SELECT avg(size) AS size FROM (${newest})`).get()?.['size'])),
  );
}

/** Measures the memory of an idle service after its start (MB). Cases of reports measure memory under load. */
export async function idle({ rounds, wait, say }: How): Promise<Result> {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using service = await startEmbedded();
    await sleep(wait);
    measured.push(memory(service.pid).now);
    say(`idle: ${measured.at(-1)?.toFixed(0)} MB`);
  }
  return { rows: [], goals: [{ goal: 'idle below 150 MB', figure: spread(measured), most: 150 }], rounds: [] };
}
