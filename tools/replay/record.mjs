import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder has nothing to replay. */
export class NoRecord extends Error {}

/**
 * Reads recorded answers from every `*.json` of a folder. Trails have `events` and `compliance_status`; snapshots have `artifacts` and
 * `applied_policies`.
 *
 * @returns {{trails: object[], snapshots: object[], others: string[]}} `others`: names of other files
 * @throws NoRecord
 */
export function readRecord(folder) {
  if (!existsSync(folder)) throw new NoRecord(`There is no folder ${folder}.`);
  const record = { trails: [], snapshots: [], others: [] };
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const answer = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    if (has(answer, 'events', 'compliance_status')) record.trails.push(answer);
    else if (has(answer, 'artifacts', 'applied_policies')) record.snapshots.push(answer);
    else record.others.push(file);
  }
  if (record.trails.length + record.snapshots.length === 0) {
    throw new NoRecord(`There is no recorded trail or snapshot in ${folder}.`);
  }
  return record;
}

function has(answer, ...fields) {
  return typeof answer === 'object' && answer !== null && fields.every((field) => field in answer);
}
