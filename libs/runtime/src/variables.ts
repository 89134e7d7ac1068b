import { isIP } from 'node:net';
import { err, ok, type Result, trimEnd } from '@assurance/kernel';

/** One setting: the parser of its text, and its default. */
export interface Variable<Value> {
  readonly fallback: Value;
  /** Parses the text. A refusal is the second half of a sentence: `must be …`. */
  readonly read: (text: string) => Result<Value, string>;
  /** Whether the value must never appear in a message. */
  readonly secret?: boolean;
}

/** Reads one setting. @throws InvalidSetting */
export type ReadSetting = <Value>(name: string, variable: Variable<Value>) => Value;

/** The refusal if only one of two settings is set; null if both or none are set. */
export function loneSetting(two: Readonly<Record<string, string | null>>): string | null {
  const names = Object.keys(two);
  const set = names.find((name) => two[name] !== null);
  const missingName = names.find((name) => two[name] === null);
  return set === undefined || missingName === undefined
    ? null
    : `${set} is set and ${missingName} is not: set both, or neither.`;
}

/** A text that matches a pattern. */
export function matching(pattern: RegExp, rule: string): Variable<string | null> {
  return { fallback: null, read: (input) => (pattern.test(input) ? ok(input) : err(rule)) };
}

/** A URL, unchanged. */
export function url(isRight: (url: URL) => boolean, rule: string): Variable<string | null> {
  return {
    fallback: null,
    read: (input) => {
      const parsed = URL.parse(input);
      return parsed !== null && isRight(parsed) ? ok(input) : err(rule);
    },
  };
}

/** Whether a URL is an http or https URL. */
export function isWeb({ protocol }: URL): boolean {
  return ['http:', 'https:'].includes(protocol);
}

/** Values with commas between. `readOne` returns null for a wrong value. */
function list<Value, Fallback>(
  fallback: Fallback,
  rule: string,
  readOne: (text: string) => Value | null,
): Variable<readonly Value[] | Fallback> {
  return {
    fallback,
    read: (input) => {
      const read = input.split(',').map((item) => readOne(item.trim()));
      const right = read.filter((value) => value !== null);
      return right.length === read.length ? ok(right) : err(rule);
    },
  };
}

/** Texts with commas between. */
export function texts<Fallback>(
  fallback: Fallback,
  rule: string,
  isRight: (text: string) => boolean,
): Variable<readonly string[] | Fallback> {
  return list(fallback, rule, (item) => (isRight(item) ? item : null));
}

/** A whole number in plain decimal digits. */
export function integer<Fallback extends number | null>(
  least: number,
  maxLength: number,
  fallback: Fallback,
): Variable<number | Fallback> {
  const rule = `must be a whole number from ${least} to ${maxLength}`;
  return {
    fallback,
    read: (text) => {
      const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
      return value >= least && value <= maxLength ? ok(value) : err(rule);
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
      const value = values.find((item) => item === text);
      return value === undefined ? err(rule) : ok(value);
    },
  };
}

/** A path, or any other text. */
export function text<Fallback extends string | null>(fallback: Fallback): Variable<string | Fallback> {
  return { fallback, read: (input) => ok(input) };
}

const HOST_NAME = /^(?=.{1,253}$)[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*$/;

function isHost(input: string): boolean {
  return isIP(input) !== 0 || HOST_NAME.test(input);
}

export function host(fallback: string): Variable<string> {
  return { fallback, read: (input) => (isHost(input) ? ok(input) : err('must be an IP address or a host name')) };
}

const PUBLIC_URL = 'must be an http or https URL, with a path if you like, without a query, fragment, user or password';

/** The URL that callers use, without a slash at its end. Null: it is made from the port. */
export const publicUrl: Variable<string | null> = {
  fallback: null,
  read: (input) => {
    const results = URL.parse(input);
    if (results === null || !isWeb(results)) return err(PUBLIC_URL);
    if (/[?#\s]/.test(input) || results.username !== '' || results.password !== '') return err(PUBLIC_URL);
    return ok(`${results.origin}${trimEnd(results.pathname, /\//)}`);
  },
};

/** Enough characters for a 128-bit key in any usual encoding. */
const SECRET_LEAST = 32;

export const secret: Variable<string | null> = {
  fallback: null,
  secret: true,
  read: (input) => (input.length >= SECRET_LEAST ? ok(input) : err(`must have at least ${SECRET_LEAST} characters`)),
};

const MONGODB = /^mongodb(?:\+srv)?:\/\/(?:[^\s/@]*@)?[^\s/?@]+(?:\/(?<database>[^\s/?]*))?(?:\?\S*)?$/;
const DATABASE = /^[A-Za-z0-9_-]{1,60}$/;
const DATABASE_FALLBACK = 'assurance';

/** A connection string, and the database that it names (`assurance` if it names none). */
export const mongodbUrl: Variable<{ readonly url: string; readonly database: string } | null> = {
  fallback: null,
  secret: true,
  read: (input) => {
    const match = MONGODB.exec(input);
    if (match === null) return err('must start with mongodb:// or mongodb+srv:// and name a host');
    const database = match.groups?.database || DATABASE_FALLBACK;
    return DATABASE.test(database)
      ? ok({ url: input, database })
      : err('names a database of other characters than letters, digits, _ and -, or of more than 60');
  },
};

/** The prefix of the names of topics and consumer groups, so that two installations can share one Kafka. */
export const kafkaPrefix: Variable<string> = {
  fallback: '',
  read: (input) =>
    /^[A-Za-z0-9._-]{1,100}$/.test(input) ? ok(input) : err('must have letters, digits, ., _ and - alone, at most 100'),
};

/** The full name of a topic. The prefix is not added to it. */
export const kafkaTopic = matching(
  /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$/,
  'must be the name of a topic: letters, digits, ., _ and - alone, at most 249',
);

export const kafkaBrokers = texts(null, 'must be host:port, or several of them with commas between', (item) => {
  const colon = item.lastIndexOf(':');
  return isHost(item.slice(0, colon)) && integer(1, 65_535, 0).read(item.slice(colon + 1)).ok;
});

const ORIGINS = 'must be http://host:port, or several of them with commas between, without a path';

/** The origins of the instances of a service, without duplicates and without a slash at their end. */
export const origins: Variable<readonly string[] | null> = {
  fallback: null,
  read: (input) => {
    const read = list(null, ORIGINS, originOf).read(input);
    return read.ok ? ok([...new Set(read.value)]) : read;
  },
};

function originOf(input: string): string | null {
  const results = URL.parse(input);
  if (results === null || !isWeb(results) || results.username !== '' || results.password !== '') return null;
  return results.pathname === '/' && !/[?#]/.test(input) ? results.origin : null;
}

/** Networks in CIDR notation. */
export const networks = texts([], 'must be networks such as 10.0.0.0/8 or fd00::/8, with commas between', (item) => {
  const [address = '', bits = '', ...rest] = item.split('/');
  const maxBits = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && rest.length === 0 && integer(0, maxBits, 0).read(bits).ok;
});

/** URLs of files. They are hidden in messages, because their queries may contain tokens. */
export const httpsUrls: Variable<readonly string[] | null> = {
  ...texts(null, 'must be https URLs without user and password, with commas between', (item) => {
    const parsed = URL.parse(item);
    return parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === '';
  }),
  secret: true,
};

export const organizationNames = texts(null, 'must be names of organizations, with commas between', (item) =>
  /^[^\s]+$/.test(item),
);

/** IP addresses with a port. */
export const socketAddresses = texts(
  [],
  'must be addresses with a port, such as 10.0.0.1:8001 or [fd00::1]:8001, with commas between',
  (item) => {
    const [, v6, v4 = '', port = ''] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(item) ?? [];
    return isIP(v6 ?? v4) === (v6 === undefined ? 4 : 6) && integer(1, 65_535, 1).read(port).ok;
  },
);

/** The URL of an SMTP server, with user and password if it needs them. */
export const smtpUrl: Variable<string | null> = {
  ...url(
    ({ protocol, hostname }) => ['smtp:', 'smtps:'].includes(protocol) && hostname !== '',
    'must start with smtp:// or smtps:// and name a host',
  ),
  secret: true,
};

/** A text that never appears in a message. */
export const hiddenText: Variable<string | null> = { ...text(null), secret: true };

/** A text in PEM that `parse` accepts. It never appears in a message. */
export function pem(description: string, parse: (text: string) => unknown): Variable<string | null> {
  return {
    ...hiddenText,
    read: (input) => {
      try {
        parse(input);
        return ok(input);
      } catch {
        return err(`must be ${description} in PEM`);
      }
    },
  };
}
