import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** The contexts of messages that Nest logs at every start. */
const NEST = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'NestMicroservice',
]);

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Writes Nest's log lines to our log. Messages that Nest logs at every start get level debug. */
export function nestLog(logger: Logger): LoggerService {
  const at =
    (level: Level) =>
    (message: unknown, ...rest: unknown[]) =>
      write(logger, level, message, rest);
  return {
    log: (message, ...rest: unknown[]) =>
      write(logger, NEST.has(contextOf(rest) ?? '') ? 'debug' : 'info', message, rest),
    fatal: at('fatal'),
    error: at('error'),
    warn: at('warn'),
    debug: at('debug'),
    verbose: at('trace'),
  };
}

function write(logger: Logger, level: Level, message: unknown, rest: readonly unknown[]): void {
  const context = contextOf(rest);
  const stack = rest.slice(0, -1).find((item) => typeof item === 'string');
  const fields = {
    ...(context === undefined ? {} : { context }),
    ...(stack === undefined ? {} : { stack }),
    ...(message instanceof Error ? { err: message } : {}),
  };
  logger[level](fields, message instanceof Error ? message.message : text(message));
}

/** Nest passes the context as the last argument. */
function contextOf(rest: readonly unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
}

function text(message: unknown): string {
  return typeof message === 'string' ? message : (JSON.stringify(message) ?? String(message));
}
