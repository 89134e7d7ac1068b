import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Syncs a folder's list of names to disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Makes a folder and its missing parents, readable by this user alone. Their names are on disk afterwards. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let current = path; current.length >= first.length; current = dirname(current))
    await syncFolder(dirname(current));
}
