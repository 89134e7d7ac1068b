import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type Operation, OperationRefused } from '@assurance/event-sourcing/operation';
import type { Backup } from '@assurance/storage-sqlite';
import { codeOf, messageOf } from '../code-of';
import { SECRET_FILE } from '../secret';

/** `backup`: copies the data folder while the service runs. A service can start on the copy. */
export function backupOperation(folder: string, backup: Backup): Operation {
  return {
    name: 'backup',
    usage: 'FOLDER',
    summary: 'copies the data folder at this moment to a new folder of this machine',
    run: async ([to = '', ...more], report, signal) => {
      if (to === '' || more.length > 0) throw new OperationRefused('backup needs FOLDER.');
      if (!isAbsolute(to)) throw new OperationRefused(`backup needs an absolute path, not ${to}.`);
      const target = resolve(to);
      if (existsSync(target)) throw new OperationRefused(`${target} exists: choose another folder.`);
      if (isWithin(target, folder)) {
        throw new OperationRefused(
          `${target} is inside the data folder and would be lost with it: choose another folder.`,
        );
      }
      const tell = (done: number, of: number | null, unit: string) => report({ done, of, unit });
      const copied = await backup(target, [SECRET_FILE], tell, signal).catch((fault: unknown) => {
        if (signal.aborted || codeOf(fault) === undefined) throw fault;
        throw new OperationRefused(`The backup cannot be written to ${target}: ${messageOf(fault)}.`);
      });
      const { pages, blobs, linked } = copied;
      const summary = `Copied ${pages} pages of the database and ${blobs} blobs (${linked} as hard links) to ${target}.`;
      return { ok: true, summary, details: { to: target, ...copied } };
    },
  };
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(resolve(folder), path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
