import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** For specs: another process on a folder. It runs the output of `npm run build`. */
export interface Child {
  /** Whole lines that it has written so far. */
  lines(): string[];
  /** Resolves when it has written a number of lines, or has ended. */
  written(lines: number): Promise<string[]>;
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>;
}

export function spawnChild(folder: string, task: 'hold' | 'append' | 'follow'): Child {
  const child = spawn(process.execPath, [join(__dirname, '../../dist/testing/child.js'), folder, task], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  let ended = false;
  const waiters: (() => void)[] = [];
  const look = () => waiters.splice(0).forEach((tell) => tell());
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    look();
  });
  const closeEvent = new Promise<void>((resolve) => {
    child.once('close', () => {
      ended = true;
      look();
      resolve();
    });
  });
  const lines = () => text.split('\n').slice(0, -1);
  return {
    lines,
    async written(many) {
      while (lines().length < many && !ended) await new Promise<void>((resolve) => waiters.push(resolve));
      return lines();
    },
    async kill() {
      child.kill('SIGKILL');
      await closeEvent;
    },
  };
}
