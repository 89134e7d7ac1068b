import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './code-of';

const BYTES = 32;

/**
 * The installation's secret: as configured, else made once (256 bit) and kept in the data folder's file `secret`, readable by its owner alone.
 *
 * @param folder exists, and no other process has it open
 * @param random makes as many random bytes as asked for
 */
export function openSecret(configured: string | null, folder: string, random: (bytes: number) => Uint8Array): string {
  if (configured !== null) return configured;
  const file = join(folder, 'secret');
  const kept = read(file);
  if (kept !== null) return kept;
  const made = Buffer.from(random(BYTES)).toString('base64url');
  // Renamed only when whole and on disk: half a secret would lock out all that was sealed with the other half.
  writeFileSync(`${file}.new`, `${made}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return made;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return null;
    throw fault;
  }
}
