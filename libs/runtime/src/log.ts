import type { Answered } from '@assurance/http';
import { escapeDirections } from '@assurance/kernel/shown/visible';
import pino, { type Logger } from 'pino';
import type { LogLevel } from './config';

/** Where log lines go. */
export interface LogStream {
  write(line: string): unknown;
}

const HIDDEN = '[hidden]';
const NAMES =
  '(?:proxy-)?authorization|(?:set-)?cookie|(?:x-)?api[-_]?keys?|keys?|(?:[a-z]+[-_]?)?(?:token|secret|password)';
/** A string field with one of these names at any depth, also in JSON that is itself a string. */
const FIELD = new RegExp(String.raw`(?<!\\)(\\*")(${NAMES})(\1\s*:\s*)(\\*")(?:\\.|[^"\\])*?\4`, 'gi');
/** The value of an Authorization header in any text. */
const HEADER = /\b(Bearer|Basic)\s+[\w~+/.=!#$%&'*^`|-]+/gi;
/** User and password in a URL. */
const URL_USER = /(:\/\/)[^\s/@"]+@/g;

/** A log line without keys, tokens, passwords and Authorization headers. */
function withoutSecrets(line: string): string {
  return line.replace(FIELD, `$1$2$3$4${HIDDEN}$4`).replace(HEADER, `$1 ${HIDDEN}`).replace(URL_USER, `$1${HIDDEN}@`);
}

/** JSON lines on standard error, unless another stream is given. Characters that would change the order of a line on a terminal are escaped. */
export function openLog(level: LogLevel, stream?: LogStream): Logger {
  const options = {
    level,
    base: null,
    hooks: { streamWrite: (line: string) => escapeDirections(withoutSecrets(line)) },
  };
  return pino(options, stream ?? pino.destination({ fd: 2, sync: true }));
}

/** Warnings that operators can ignore: kafkajs sets timers with negative times, and Node treats these as 1 ms. */
const HARMLESS = ['TimeoutNegativeWarning'];

/**
 * Logs the warnings of Node as JSON. Node itself would write them as plain text to standard error.
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

/**
 * Logs one line for a request. Successful requests are logged at level debug, because there may be thousands in a
 * second. Refused requests are logged at level info. Refused requests without an identified caller are logged at level
 * debug, because the gateway logs these once a minute for each address.
 */
export function logAnswered(
  logger: Logger,
  { received, sent, milliseconds, unknownCaller, ...answered }: Answered,
): void {
  const level = answered.status < 400 || unknownCaller ? 'debug' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  logger[level]({ ...answered, milliseconds: Math.round(milliseconds * 10) / 10, received, sent }, 'request answered');
}
