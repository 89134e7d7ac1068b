import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ProbeResult, ProbeRequest } from './call';

const MAIN = resolve(__dirname, '../../../dist/attacks/probe/main.js');

/** A probe that runs. */
export interface Probe {
  /** Marks the begin of the attack. */
  attacked(): void;
  /** Ends it when all its requests are answered. A second call returns the same result. */
  stop(): Promise<readonly ProbeResult[]>;
}

export function startProbe(request: ProbeRequest): Probe {
  const child = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${JSON.stringify(request)}\n`);
  const output = text(child.stdout);
  const ended = once(child, 'close');
  return {
    attacked: () => void child.stdin.write('attacked\n'),
    stop: async () => {
      child.stdin.end();
      await ended;
      return JSON.parse(await output) as readonly ProbeResult[];
    },
  };
}
