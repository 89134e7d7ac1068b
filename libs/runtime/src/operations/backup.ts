import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Operation, OperationRefused } from '@assurance/event-sourcing/operation';
import type { Backup } from '@assurance/storage-sqlite';
import { codeOf, messageOf } from '../error-code';
import { SECRET_FILE } from '../secret';

const WORDS = 'backup needs FOLDER, and takes --keep COUNT.';
const KEPT_MAX = 10_000;
/** The names of the copies that `--keep` makes: the time of the copy in UTC. */
const KEPT = /^\d{8}T\d{6}Z$/;

/**
 * `backup`: copies the data folder while the service runs. A service can start on the copy. With `--keep`, the copy is a folder in FOLDER
 * with the time as its name. When it is complete, the oldest such folders are removed, so that COUNT remain.
 *
 * @param note records when a backup that is complete was begun
 * @param now epoch milliseconds
 */
export function backupOperation(
  folder: string,
  backup: Backup,
  note: (at: number) => Promise<void>,
  now: () => number,
): Operation {
  return {
    name: 'backup',
    usage: 'FOLDER [--keep COUNT]',
    summary: 'copies the data folder at this moment to a new folder of this machine, and keeps the newest copies',
    run: async (words, report, signal) => {
      const { to, keep } = wordsOf(words);
      const target = keep === null ? resolve(to) : join(resolve(to), nameAt(now()));
      if (existsSync(target)) throw new OperationRefused(`${target} exists: choose another folder.`);
      if (isWithin(target, folder)) {
        throw new OperationRefused(
          `${target} is inside the data folder and would be lost with it: choose another folder.`,
        );
      }
      const tell = (done: number, of: number | null, unit: string) => report({ done, of, unit });
      const copy = async () => {
        if (keep !== null) await mkdir(resolve(to), { recursive: true });
        return backup(target, [SECRET_FILE], tell, signal);
      };
      const begun = now();
      const copyResult = await copy().catch((fault: unknown) => {
        if (signal.aborted || codeOf(fault) === undefined) throw fault;
        throw new OperationRefused(`The backup cannot be written to ${target}: ${messageOf(fault)}.`);
      });
      const { pages, blobs, linked } = copyResult;
      await note(begun);
      const removedFolders = keep === null ? [] : await removeOldest(resolve(to), keep);
      const summary =
        `Copied ${pages} pages of the database and ${blobs} blobs (${linked} as hard links) to ${target}.` +
        (removedFolders.length === 0 ? '' : ` Removed ${removedFolders.join(', ')}.`);
      return { ok: true, summary, details: { to: target, removed: removedFolders, ...copyResult } };
    },
  };
}

function wordsOf([to = '', option, count = '', ...more]: readonly string[]) {
  const keep = Number(count);
  const plain = option === undefined;
  const isWithKeep = option === '--keep' && /^\d+$/.test(count) && keep >= 1 && keep <= KEPT_MAX;
  if (to === '' || more.length > 0 || !(plain || isWithKeep)) throw new OperationRefused(WORDS);
  if (!isAbsolute(to)) throw new OperationRefused(`backup needs an absolute path, not ${to}.`);
  return { to, keep: plain ? null : keep };
}

function nameAt(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().replaceAll(/[-:]|\..*/g, '')}Z`;
}

async function removeOldest(folder: string, keep: number): Promise<string[]> {
  const copies = (await readdir(folder)).filter((name) => KEPT.test(name)).sort();
  const oldest = copies.slice(0, Math.max(0, copies.length - keep));
  for (const name of oldest) await rm(join(folder, name), { recursive: true });
  return oldest;
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(resolve(folder), path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
