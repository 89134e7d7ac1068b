import { ROLES } from '@assurance/contracts/access/events';
import { withCheck, closed, optional } from '@assurance/contracts/http/bodies/body';
import { type Pattern, PATTERNS } from '@assurance/contracts/http/patterns';
import { flag, integer, list, oneOf, text, type TypeOf } from '@assurance/contracts/http/shape';
import type { Bootstrap, BootstrapKey, BootstrapOrganization } from '@assurance/http';
import { err, ok, type Result } from '@assurance/kernel';
import { type FieldProblem, readYamlObject } from './yaml-object';

const NAME_LONGEST = 100;
const SERVICE_ACCOUNT_LONGEST = 64;

/** A name that needs no escaping in URL paths. */
const nameOf = (pattern: Pattern, max: number) =>
  text(undefined, { pattern, max, problem: `must match ${pattern.text} and have at most ${max} characters` });

/** A time in whole epoch seconds. */
const seconds = integer(undefined, {
  min: 0,
  max: Number.MAX_SAFE_INTEGER,
  problem: 'must be epoch seconds as a whole number, 0 for never',
});

/** Why a text cannot be an API key. Basic authentication splits at a colon, and headers carry only visible ASCII. */
function keyProblem(key: string): string | null {
  if (key === '') return 'must not be empty';
  if (/[:\s]/.test(key)) return 'must not hold a colon or blank';
  return /^[!-~]+$/.test(key) ? null : 'must hold visible ASCII characters only';
}

const KeyInput = closed('BootstrapKey', {
  key: withCheck(text(), keyProblem),
  description: optional(text()),
  expires_at: optional(seconds),
});
type KeyInput = TypeOf<typeof KeyInput>;

const UserInput = closed('BootstrapUser', {
  name: nameOf(PATTERNS.environment, NAME_LONGEST),
  email: text(undefined, { pattern: PATTERNS.email, problem: 'must be an email address' }),
  api_keys: optional(list(KeyInput)),
  enforce: optional(flag()),
});

const MemberInput = closed('BootstrapMember', {
  user: text(),
  role: oneOf(ROLES),
  enforce: optional(flag()),
});

const ServiceAccountInput = closed('BootstrapServiceAccount', {
  name: nameOf(PATTERNS.serviceAccount, SERVICE_ACCOUNT_LONGEST),
  privilege: oneOf(ROLES),
  description: optional(text()),
  api_keys: optional(list(KeyInput)),
  enforce: optional(flag()),
});

const OrganizationInput = closed('BootstrapOrganization', {
  name: nameOf(PATTERNS.environment, NAME_LONGEST),
  members: optional(list(MemberInput)),
  service_accounts: optional(list(ServiceAccountInput)),
  enforce: optional(flag()),
});
type OrganizationInput = TypeOf<typeof OrganizationInput>;

const FileInput = closed('BootstrapFile', {
  users: optional(list(UserInput)),
  organizations: optional(list(OrganizationInput)),
});
type FileInput = TypeOf<typeof FileInput>;

/**
 * Reads and checks the bootstrap file: declared users with their keys, organizations with members and service accounts.
 *
 * @param readFile returns a file's text; throws if it cannot read it
 * @returns the declarations, or one sentence that names the file, line, column and field; it never contains a key
 */
export function readBootstrapFile(path: string, readFile: (path: string) => string): Result<Bootstrap, string> {
  const file = readYamlObject(FileInput, 'bootstrap file', path, readFile);
  if (!file.ok) return file;
  const { value, firstOf } = file.value;
  const refusal = firstOf(contradictions(value));
  if (refusal !== null) return err(refusal);
  const users = (value.users ?? []).map(({ name, email, api_keys, enforce = false }) => ({
    name,
    email,
    apiKeys: keysOf(api_keys),
    enforce,
  }));
  return ok({ kind: 'file', users, organizations: (value.organizations ?? []).map(organizationOf) });
}

function organizationOf(input: OrganizationInput): BootstrapOrganization {
  const { name, members = [], service_accounts: accounts = [], enforce: all = false } = input;
  return {
    name,
    members: members.map(({ user, role, enforce = false }) => ({ user, role, enforce: enforce || all })),
    serviceAccounts: accounts.map(({ name: account, privilege, description = '', api_keys, enforce = false }) => ({
      name: account,
      privilege,
      description,
      apiKeys: keysOf(api_keys),
      enforce: enforce || all,
    })),
  };
}

function keysOf(keys: readonly KeyInput[] = []): BootstrapKey[] {
  return keys.map(({ key, description = '', expires_at: expiresAt = 0 }) => ({ key, description, expiresAt }));
}

/** The problems of parts that are valid by themselves but contradict each other. */
function contradictions({ users = [], organizations = [] }: FileInput): FieldProblem[] {
  const names = new Set(users.map(({ name }) => name));
  const keys: FieldProblem[] = users.flatMap((user, at) => keyPaths(user.api_keys, `users.${at}`));
  const problems = findDuplicates(users.map(({ name }, at) => [`users.${at}.name`, name]));
  for (const [at, { name, members = [], service_accounts: accounts = [] }] of organizations.entries()) {
    const path = `organizations.${at}`;
    if (names.has(name)) {
      problems.push([
        `${path}.name`,
        `is '${name}', which is a user's name and so that of the user's personal organization`,
      ]);
    }
    const unknown = members.flatMap(({ user }, i): FieldProblem[] =>
      names.has(user) ? [] : [[`${path}.members.${i}.user`, `is '${user}', who is not among the users of this file`]],
    );
    problems.push(...unknown, ...findDuplicates(members.map(({ user }, i) => [`${path}.members.${i}.user`, user])));
    problems.push(
      ...findDuplicates(accounts.map((account, i) => [`${path}.service_accounts.${i}.name`, account.name])),
    );
    keys.push(...accounts.flatMap(({ api_keys }, i) => keyPaths(api_keys, `${path}.service_accounts.${i}`)));
  }
  problems.push(...findDuplicates(organizations.map(({ name }, at) => [`organizations.${at}.name`, name])));
  return [...problems, ...findDuplicates(keys, () => 'is given twice in this file')];
}

function keyPaths(keys: readonly KeyInput[] = [], path: string): (readonly [path: string, key: string])[] {
  return keys.map(({ key }, at) => [`${path}.api_keys.${at}.key`, key]);
}

/** A problem for each value that occurs earlier in the file, in the order of the file. */
function findDuplicates(
  values: readonly (readonly [path: string, value: string])[],
  problem = (value: string) => `is '${value}', which is given twice`,
): FieldProblem[] {
  const seen = new Set<string>();
  return values.flatMap(([path, value]): FieldProblem[] => {
    if (seen.has(value)) return [[path, problem(value)]];
    seen.add(value);
    return [];
  });
}
