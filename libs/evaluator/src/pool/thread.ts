import { Worker } from 'node:worker_threads';

/**
 * Starts a thread, and waits until it accepts jobs, so that the start does not count as time of a job.
 *
 * @param heapMb the limit of the thread's heap (MiB); the memory of jq is not on the heap and has a limit of 256 MiB
 */
export async function startThread(heapMb: number): Promise<Worker> {
  const worker = new Worker(require.resolve('@assurance/evaluator/worker'), {
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  // A failing thread ends, and emits `exit` then.
  let failure: Error | null = null;
  worker.on('error', (error) => (failure = error));
  worker.stdout.resume();
  worker.stderr.resume();
  await new Promise<void>((resolve, reject) => {
    const onExit = () => reject(failure ?? new Error('the evaluator did not start'));
    worker.once('exit', onExit);
    worker.once('message', () => {
      worker.off('exit', onExit);
      resolve();
    });
  });
  // An idle thread must not keep the process alive.
  worker.unref();
  return worker;
}
