import { getRandomValues } from 'node:crypto';

const SUCCESS = 0;
/** A file descriptor that is not open. */
const BAD_FILE = 8;

/**
 * The system calls of WASI that the runtime of Go needs to start: no file is open, no argument and no variable is set. The clock serves its
 * scheduler; policies see the time of their evaluation.
 *
 * @param memory the memory of the instance
 * @returns the function of a call by its name
 */
export function systemCalls(memory: () => ArrayBuffer): (name: string) => (...values: number[]) => number {
  const write32 = (at: number, value: number) => new DataView(memory()).setUint32(at, value, true);
  const none = (count = 0, bytes = 0) => {
    write32(count, 0);
    write32(bytes, 0);
    return SUCCESS;
  };
  const calls: Readonly<Record<string, (...values: number[]) => number>> = {
    args_sizes_get: none,
    environ_sizes_get: none,
    args_get: () => SUCCESS,
    environ_get: () => SUCCESS,
    sched_yield: () => SUCCESS,
    clock_time_get: (_clock, _precision, at = 0) => {
      new DataView(memory()).setBigUint64(at, process.hrtime.bigint(), true);
      return SUCCESS;
    },
    // The seed of hash tables.
    random_get: (at, bytes) => {
      getRandomValues(new Uint8Array(memory(), at, bytes));
      return SUCCESS;
    },
    proc_exit: (code) => {
      throw new Error(`OPA ended with ${code}`);
    },
  };
  return (name) => calls[name] ?? (() => BAD_FILE);
}
