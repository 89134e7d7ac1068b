import { madeUp } from './made-up';

const [HOUR, DAY] = [3_600, 86_400];
/** The length of the history (days). */
export const DAYS = 60;

/** A version of a service of the invented shop. */
export interface Build {
  readonly service: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly commit: string;
  /** Epoch seconds. */
  readonly committed: number;
  readonly message: string;
  readonly author: string;
  readonly trail: string;
  /** How many of its tests failed. */
  readonly failures: number;
}

/** A report of what runs. */
export interface Sight {
  readonly environment: string;
  /** Epoch seconds. */
  readonly at: number;
  /** The running versions, each with the time at which it started (epoch seconds). */
  readonly running: readonly { readonly build: Build; readonly since: number }[];
}

/** The services, with the number of days between two versions of each. */
const SERVICES = [
  {
    service: 'web',
    every: 4,
    author: 'Ada Lovelace <ada@example.com>',
    changes: ['Show prices with tax', 'Sort results'],
  },
  {
    service: 'checkout',
    every: 6,
    author: 'Grace Hopper <grace@example.com>',
    changes: ['Retry payments', 'Log less'],
  },
  {
    service: 'mail',
    every: 9,
    author: 'Alan Turing <alan@example.com>',
    changes: ['Thank in the subject', 'Send once'],
  },
] as const;
export const NAMES = SERVICES.map(({ service }) => service);
export const ENVIRONMENTS = [
  ['staging', 'Where versions are tried'],
  ['production', 'Where customers buy'],
] as const;
/** Hours from a commit to the start in each environment. */
const DELAYS: Readonly<Record<string, number>> = { staging: 1, production: 20 };
/** This version failed a test, still reached production, and was rolled back after some hours. */
const FAULTY = { service: 'checkout', number: 6, hours: 5 };

/** The versions that were built in the days before a midnight (epoch seconds), oldest first. */
export function buildsOf(until: number): readonly Build[] {
  return SERVICES.flatMap(({ service, every, author, changes }) =>
    Array.from({ length: Math.floor(DAYS / every) }, (_, i): Build => {
      const number = i + 1;
      const text = `${service} 1.${number}`;
      return {
        service,
        author,
        name: `shop/${service}:1.${number}`,
        trail: `build-${number}`,
        fingerprint: madeUp(64, text),
        commit: madeUp(40, text),
        message: `${changes[i % changes.length]} (${number})`,
        committed: until - DAYS * DAY + i * every * DAY + 9 * HOUR,
        failures: service === FAULTY.service && number === FAULTY.number ? 2 : 0,
      };
    }),
  ).sort((a, b) => a.committed - b.committed);
}

/** The reports about these versions: each start, and the rollback of the faulty version. */
export function sightsOf(builds: readonly Build[], until: number): readonly Sight[] {
  return ENVIRONMENTS.flatMap(([environment]) => {
    const starts = builds.map((build) => ({ build, at: build.committed + (DELAYS[environment] ?? 0) * HOUR }));
    const faulty = starts.find(({ build }) => build.failures > 0);
    const before = starts.filter(({ build, at }) => build.service === FAULTY.service && at < (faulty?.at ?? 0)).at(-1);
    const back =
      environment === 'production' && faulty !== undefined && before !== undefined
        ? [{ build: before.build, at: faulty.at + FAULTY.hours * HOUR }]
        : [];
    const running = new Map<string, Sight['running'][number]>();
    return [...starts, ...back]
      .filter(({ at }) => at < until)
      .sort((a, b) => a.at - b.at)
      .map(({ build, at }) => {
        running.set(build.service, { build, since: at });
        return { environment, at: at + 60, running: [...running.values()] };
      });
  });
}
