import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind } from '../bodies.ts';
import { compare } from '../compare.ts';
import { readFrom, startEmbedded } from '../embedded.ts';
import {
  against,
  bytesWritten,
  figureOf,
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
  let bytes = 0;
  const rival = kind === 'changed' ? 'journal' : 'parser';
  const args = async () => {
    if (kind === 'changed') bytes = await commitBytes(service.file);
    return [journal, String(bytes)];
  };
  const { pid } = service;
  const rounds = await compare({ service, pids: [pid], kind, count, rival, args, work: () => bytesWritten(pid) }, how);
  const name = `${kind} reports, ${count.toLocaleString('en')} artifacts`;
  const row: Row = { name, rival, ...against(rounds, 'service', rival), memory: memory(service.pid).most };
  const each = figureOf(rounds, 'service', 'work');
  const goals: Goal[] = [{ goal: `${name}: below 400 MB under load`, figure: single(row.memory ?? NaN), most: 400 }];
  if (count === 10 && kind === 'unchanged')
    goals.push({ goal: `${name}: at least 0.4 of the server that parses`, figure: row.ratio, least: 0.4 });
  if (count === 10 && kind === 'changed') {
    goals.push(
      { goal: `${name}: at least 0.1 of the journal`, figure: row.ratio, least: 0.1 },
      { goal: `${name}: p99 at most 45 ms`, figure: figureOf(rounds, 'service', 'p99'), most: 45 },
      { goal: `${name}: at most 0.45 ms of CPU`, figure: figureOf(rounds, 'service', 'cpu'), most: 0.45 },
      { goal: `${name}: writes at most 20,000 bytes (its commit: ${bytes})`, figure: each, most: 20_000 },
    );
  }
  return { rows: [row], goals, rounds: [rounds] };
}

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
