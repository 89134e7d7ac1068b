import { CannotStart, type Role } from '@assurance/http';
import pino from 'pino';
import { orCannotStart } from './assemble';
import { readConfig } from './config';
import { problemOfRoles } from './roles';
import { readBootstrap, readText } from './serve';
import type { EffectiveSetting } from './settings-reader';
import { TlsFiles } from './tls/tls-files';

/** The words of `config check` after the operation's name. */
const USAGE = 'check [SERVICE]';

/** For the list of operations. It needs neither a service nor a store. */
export const CONFIG = {
  name: 'config',
  usage: USAGE,
  summary: 'prints the effective settings without secrets, and refuses what a start would refuse',
};

/**
 * Reads all settings and the files that they name, as a start does, and opens no store.
 *
 * @param words `check`, and the name of a role if one service runs alone
 * @returns the effective settings, one a line, and warnings
 * @throws CannotStart if a start would refuse them
 */
export function checkConfig(
  roles: readonly Role[],
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): { readonly text: string; readonly warnings: readonly string[] } {
  const [check, service, ...more] = words;
  const chosen = service === undefined ? roles : roles.filter(({ name }) => name === service);
  if (check !== 'check' || chosen.length === 0 || more.length > 0) {
    throw new CannotStart(`config takes ${USAGE}; services are ${roles.map(({ name }) => name).join(', ')}.`);
  }
  const { config, warnings, settings } = orCannotStart(readConfig(env, readText));
  const problem = problemOfRoles(chosen, config);
  if (problem !== null) throw new CannotStart(problem);
  orCannotStart(readBootstrap(config));
  if (config.tls !== null) orCannotStart(TlsFiles.open(config.tls, pino({ enabled: false }))).stop();
  return { text: settings.map(lineOf).join('\n'), warnings };
}

function lineOf({ name, value, source }: EffectiveSetting): string {
  return `${name}=${value === null ? '' : value}  (${source})`;
}
