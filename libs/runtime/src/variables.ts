import { isIP } from 'node:net';
import { no, ok, type Result } from '@assurance/kernel';

/** One setting: the parser of its text, and its default. */
export interface Variable<Value> {
  readonly fallback: Value;
  /** Refuses with the second half of a sentence: `must be …`. */
  readonly read: (text: string) => Result<Value, string>;
  /** The value never shows in a message. */
  readonly secret?: boolean;
}

/** Reads one setting. @throws WrongSetting */
export type ReadSetting = <Value>(name: string, variable: Variable<Value>) => Value;

/** The refusal where one of two settings is set without the other; null where both are, or neither. */
export function loneSetting(two: Readonly<Record<string, string | null>>): string | null {
  const names = Object.keys(two);
  const set = names.find((name) => two[name] !== null);
  const missing = names.find((name) => two[name] === null);
  return set === undefined || missing === undefined
    ? null
    : `${set} is set and ${missing} is not: set both, or neither.`;
}

/** A text that matches a pattern. */
export function matching(pattern: RegExp, rule: string): Variable<string | null> {
  return { fallback: null, read: (given) => (pattern.test(given) ? ok(given) : no(rule)) };
}

/** A URL, as it was given. */
export function url(isRight: (url: URL) => boolean, rule: string): Variable<string | null> {
  return {
    fallback: null,
    read: (given) => {
      const parsed = URL.parse(given);
      return parsed !== null && isRight(parsed) ? ok(given) : no(rule);
    },
  };
}

/** Whether a URL is one of the web. */
export function isWeb({ protocol }: URL): boolean {
  return ['http:', 'https:'].includes(protocol);
}

/** Values with commas between. `readOne` returns null for a wrong one. */
function list<Value, Fallback>(
  fallback: Fallback,
  rule: string,
  readOne: (text: string) => Value | null,
): Variable<readonly Value[] | Fallback> {
  return {
    fallback,
    read: (given) => {
      const read = given.split(',').map((each) => readOne(each.trim()));
      const right = read.filter((each) => each !== null);
      return right.length === read.length ? ok(right) : no(rule);
    },
  };
}

/** Texts with commas between. */
export function texts<Fallback>(
  fallback: Fallback,
  rule: string,
  isRight: (text: string) => boolean,
): Variable<readonly string[] | Fallback> {
  return list(fallback, rule, (each) => (isRight(each) ? each : null));
}

/** A whole number in plain decimal digits. */
export function integer<Fallback extends number | null>(
  least: number,
  most: number,
  fallback: Fallback,
): Variable<number | Fallback> {
  const rule = `must be a whole number from ${least} to ${most}`;
  return {
    fallback,
    read: (text) => {
      const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
      return value >= least && value <= most ? ok(value) : no(rule);
    },
  };
}

export function oneOf<const Values extends readonly string[]>(
  values: Values,
  fallback: Values[number],
): Variable<Values[number]> {
  const rule = `must be one of ${values.join(', ')}`;
  return {
    fallback,
    read: (text) => {
      const value = values.find((each) => each === text);
      return value === undefined ? no(rule) : ok(value);
    },
  };
}

/** A path, or any other text. */
export function text<Fallback extends string | null>(fallback: Fallback): Variable<string | Fallback> {
  return { fallback, read: (given) => ok(given) };
}

const HOST_NAME = /^(?=.{1,253}$)[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*$/;

function isHost(given: string): boolean {
  return isIP(given) !== 0 || HOST_NAME.test(given);
}

export function host(fallback: string): Variable<string> {
  return { fallback, read: (given) => (isHost(given) ? ok(given) : no('must be an IP address or a host name')) };
}

const PUBLIC_URL = 'must be an http or https URL, with a path if you like, without a query, fragment, user or password';

/** The URL that callers use, without a slash at its end. Null: made of the port. */
export const publicUrl: Variable<string | null> = {
  fallback: null,
  read: (given) => {
    const found = URL.parse(given);
    if (found === null || !isWeb(found)) return no(PUBLIC_URL);
    if (/[?#\s]/.test(given) || found.username !== '' || found.password !== '') return no(PUBLIC_URL);
    return ok(`${found.origin}${found.pathname.replace(/\/+$/, '')}`);
  },
};

/** Enough for a 128-bit key, whichever way it is written. */
const SECRET_LEAST = 32;

export const secret: Variable<string | null> = {
  fallback: null,
  secret: true,
  read: (given) => (given.length >= SECRET_LEAST ? ok(given) : no(`must have at least ${SECRET_LEAST} characters`)),
};

const MONGODB = /^mongodb(?:\+srv)?:\/\/[^\s/]+(?:\/(?<database>[^\s/?]*))?(?:\?\S*)?$/;
const DATABASE = /^[A-Za-z0-9_-]{1,60}$/;
const DATABASE_FALLBACK = 'assurance';

/** A connection string, and the database that it names (`assurance` where it names none). */
export const mongodbUrl: Variable<{ readonly url: string; readonly database: string } | null> = {
  fallback: null,
  secret: true,
  read: (given) => {
    const found = MONGODB.exec(given);
    if (found === null) return no('must start with mongodb:// or mongodb+srv:// and name a host');
    const database = found.groups?.database || DATABASE_FALLBACK;
    return DATABASE.test(database)
      ? ok({ url: given, database })
      : no('names a database of other characters than letters, digits, _ and -, or of more than 60');
  },
};

/** Two installations can share a Kafka: it comes before the names of their topics and consumer groups. */
export const kafkaPrefix: Variable<string> = {
  fallback: '',
  read: (given) =>
    /^[A-Za-z0-9._-]{1,100}$/.test(given) ? ok(given) : no('must have letters, digits, ., _ and - alone, at most 100'),
};

/** The whole name of a topic. */
export const kafkaTopic = matching(
  /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$/,
  'must be the name of a topic: letters, digits, ., _ and - alone, at most 249',
);

export const kafkaBrokers = texts(null, 'must be host:port, or several of them with commas between', (each) => {
  const colon = each.lastIndexOf(':');
  return isHost(each.slice(0, colon)) && integer(1, 65_535, 0).read(each.slice(colon + 1)).ok;
});

const ORIGINS = 'must be http://host:port, or several of them with commas between, without a path';

/** Where the instances of a service are, each once and without a slash at its end. */
export const origins: Variable<readonly string[] | null> = {
  fallback: null,
  read: (given) => {
    const read = list(null, ORIGINS, originOf).read(given);
    return read.ok ? ok([...new Set(read.value)]) : read;
  },
};

function originOf(given: string): string | null {
  const found = URL.parse(given);
  if (found === null || !isWeb(found) || found.username !== '' || found.password !== '') return null;
  return found.pathname === '/' && !/[?#]/.test(given) ? found.origin : null;
}

/** Networks in CIDR notation. */
export const networks = texts([], 'must be networks such as 10.0.0.0/8 or fd00::/8, with commas between', (each) => {
  const [address = '', bits = '', ...rest] = each.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && rest.length === 0 && integer(0, most, 0).read(bits).ok;
});

/** IP addresses with a port. */
export const socketAddresses = texts(
  [],
  'must be addresses with a port, such as 10.0.0.1:8001 or [fd00::1]:8001, with commas between',
  (each) => {
    const [, v6, v4 = '', port = ''] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(each) ?? [];
    return isIP(v6 ?? v4) === (v6 === undefined ? 4 : 6) && integer(1, 65_535, 1).read(port).ok;
  },
);

/** An SMTP server, with user and password where it wants them. */
export const smtpUrl: Variable<string | null> = {
  ...url(
    ({ protocol, hostname }) => ['smtp:', 'smtps:'].includes(protocol) && hostname !== '',
    'must start with smtp:// or smtps:// and name a host',
  ),
  secret: true,
};

/** A text that never shows in a message. */
export const hiddenText: Variable<string | null> = { ...text(null), secret: true };

/** A text in PEM that `parse` takes; it never shows in a message. */
export function pem(what: string, parse: (text: string) => unknown): Variable<string | null> {
  return {
    ...hiddenText,
    read: (given) => {
      try {
        parse(given);
        return ok(given);
      } catch {
        return no(`must be ${what} in PEM`);
      }
    },
  };
}
