import { Worker } from 'node:worker_threads';

/**
 * Starts a thread and waits until it takes jobs: no job's time runs before.
 *
 * @param heapMb the most memory of a thread's own (MiB); jq's, which is not on its heap, ends at 256
 */
export async function startThread(heapMb: number): Promise<Worker> {
  const worker = new Worker(require.resolve('@assurance/evaluator/worker'), {
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
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
