import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The most memory of a thread's own (MiB); jq's, which is not on its heap, ends at 256. */
const HEAP_MB = 128;

/** Starts a thread and waits until it takes jobs: no job's time runs before. */
export async function startThread(): Promise<Worker> {
  const worker = new Worker(workerFile(), {
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  // A thread that fails ends: that is heard of then.
  let failure: Error | null = null;
  worker.on('error', (error) => (failure = error));
  worker.stdout.resume();
  worker.stderr.resume();
  await new Promise<void>((resolve, reject) => {
    const left = () => reject(failure ?? new Error('the evaluator did not start'));
    worker.once('exit', left);
    worker.once('message', () => {
      worker.off('exit', left);
      resolve();
    });
  });
  // An idle thread keeps no process alive.
  worker.unref();
  return worker;
}

/** Threads run what the build made, tests too (decision 4). */
function workerFile(): string {
  const here = __filename.endsWith('.ts') ? join(__dirname, '../../dist') : join(__dirname, '..');
  const file = join(here, 'worker.js');
  if (!existsSync(file)) throw new Error(`the evaluator is not built (${file} is missing): run npm run build`);
  return file;
}
