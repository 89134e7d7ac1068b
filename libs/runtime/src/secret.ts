import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './error-code';
import type { Config } from './config';

const BYTES = 32;
/** The file in the data folder that contains the generated secret. */
export const SECRET_FILE = 'secret';

/**
 * The installation's secret. If none is configured, it is made once (256 bits) and kept in the file `secret` of the data folder. Only the
 * owner can read that file.
 *
 * @param folder must exist, and no other process may have it open; null: a generated secret lasts only as long as the process
 * @param random makes the given number of random bytes
 */
export function openSecret(
  configuredSecret: string | null,
  folder: string | null,
  random: (bytes: number) => Uint8Array,
): string {
  const existing = configuredSecret ?? (folder === null ? null : storedSecret(folder));
  if (existing !== null) return existing;
  const created = Buffer.from(random(BYTES)).toString('base64url');
  if (folder === null) return created;
  const file = fileIn(folder);
  // The file gets its name only when it is complete and on disk. With a part of a secret, nothing could be decrypted that
  // the whole secret encrypted.
  writeFileSync(`${file}.new`, `${created}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return created;
}

/**
 * The installation's secret, then the previous secret if it is configured. The previous one still decrypts and verifies
 * older texts.
 *
 * @param folder see `openSecret`
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
