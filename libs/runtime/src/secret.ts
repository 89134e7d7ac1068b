import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './error-code';
import type { Config } from './config';

const BYTES = 32;
/** The file of the data folder that holds a secret that was made there. */
export const SECRET_FILE = 'secret';

/**
 * The installation's secret: as configured, else made once (256 bit) and kept in the data folder's file `secret`, readable by its owner alone.
 *
 * @param folder exists, and no other process has it open; null: there is none, and what is made is gone with the process
 * @param random makes as many random bytes as asked for
 */
export function openSecret(
  configured: string | null,
  folder: string | null,
  random: (bytes: number) => Uint8Array,
): string {
  const existing = configured ?? (folder === null ? null : storedSecret(folder));
  if (existing !== null) return existing;
  const created = Buffer.from(random(BYTES)).toString('base64url');
  if (folder === null) return created;
  const file = fileIn(folder);
  // The file is renamed only when it is complete and on disk: with a part of a secret, nothing that the whole one
  // sealed could be decrypted.
  writeFileSync(`${file}.new`, `${created}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return created;
}

/**
 * The installation's secret, then the previous one where one is given: what that one sealed and signed is still read.
 *
 * @param folder as of `openSecret`
 */
export function openSecrets(
  { secret, previousSecret }: Pick<Config, 'secret' | 'previousSecret'>,
  folder: string | null,
  random: (bytes: number) => Uint8Array,
): readonly [string, ...string[]] {
  return [openSecret(secret, folder, random), ...(previousSecret === null ? [] : [previousSecret])];
}

/** The secret in a data folder; null if there is none. */
export function storedSecret(folder: string): string | null {
  try {
    return readFileSync(fileIn(folder), 'utf8').trim();
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return null;
    throw fault;
  }
}

function fileIn(folder: string): string {
  return join(folder, SECRET_FILE);
}
