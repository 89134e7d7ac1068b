import { mkdirSync, rmSync } from 'node:fs';
import { must, show } from './command.ts';
import { root } from './root.ts';

/** Builds a commit in a new folder, with packages as its lock file names them. */
export function checkOut(commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  must('git', ['archive', `--output=${folder}.tar`, commit], { cwd: root });
  must('tar', ['xf', `${folder}.tar`], { cwd: folder });
  rmSync(`${folder}.tar`);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_ENV$|CI$)/i.test(name)));
  show(process.execPath, ['tools/setup/prepare.mjs', '--omit=dev'], { cwd: folder, env });
}
