import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of the repository. */
export const root = resolve(import.meta.dirname, '../..');

/** The text of a file of the repository. */
export const read = (file: string): string => readFileSync(join(root, file), 'utf8');
