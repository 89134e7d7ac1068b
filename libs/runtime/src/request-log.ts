import type { Answered } from '@assurance/http';
import type { Logger } from 'pino';

/**
 * One line a request: what went well is for debugging only, at thousands of reports a second; what was refused is always worth one, unless
 * nobody was identified: the gateway logs those once a minute for each address.
 */
export function logAnswered(
  logger: Logger,
  { received, sent, milliseconds, unknownCaller, ...answered }: Answered,
): void {
  const level = answered.status < 400 || unknownCaller ? 'debug' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  logger[level]({ ...answered, milliseconds: Math.round(milliseconds * 10) / 10, received, sent }, 'request answered');
}
