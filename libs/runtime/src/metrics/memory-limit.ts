/**
 * The limit of the process's control group in bytes; null where there is none. Without a limit the system tells 0, or more than the machine has.
 *
 * @param constrained what `process.constrainedMemory()` tells
 * @param total the machine's memory
 */
export function memoryLimit(constrained: number, total: number): number | null {
  return constrained > 0 && constrained < total ? constrained : null;
}
