/**
 * The memory limit of the process's control group (bytes); null if there is none. Without a limit, the system reports 0, or more
 * than the machine has.
 *
 * @param constrainedBytes the result of `process.constrainedMemory()` (bytes)
 * @param total the machine's memory (bytes)
 */
export function memoryLimit(constrainedBytes: number, total: number): number | null {
  return constrainedBytes > 0 && constrainedBytes < total ? constrainedBytes : null;
}
