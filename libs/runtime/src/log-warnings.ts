import type { Logger } from 'pino';

/** Warnings that an operator can do nothing about: kafkajs sets timers of less than no time, which Node takes for the shortest there are. */
const HARMLESS = ['TimeoutNegativeWarning'];

/**
 * Logs the warnings of Node, which would go to standard error as plain text: there every line is JSON.
 *
 * @param events the process
 */
export function logWarnings(
  logger: Pick<Logger, 'warn' | 'debug'>,
  events: Pick<NodeJS.Process, 'removeAllListeners' | 'on'> = process,
): void {
  events.removeAllListeners('warning');
  events.on('warning', (err: Error) => {
    const level = HARMLESS.includes(err.name) ? 'debug' : 'warn';
    logger[level]({ err }, 'a warning of Node');
  });
}
