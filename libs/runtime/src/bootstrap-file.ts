import { ROLES } from '@assurance/contracts/access/events';
import { closed } from '@assurance/contracts/http/bodies/body';
import { Optional } from '@assurance/contracts/http/bodies/rules';
import { PATTERNS } from '@assurance/contracts/http/patterns';
import type { Bootstrap, BootstrapKey, BootstrapOrganization } from '@assurance/http';
import { err, ok, type Result } from '@assurance/kernel';
import { type FieldProblem, readYamlObject } from './yaml-object';
import { YamlFlag, YamlList, YamlSeconds, YamlText, YamlWord } from './yaml-rules';

const NAME_LONGEST = 100;
const SERVICE_ACCOUNT_LONGEST = 64;

/** A name that needs no escaping in URL paths. */
const Name = (pattern: { readonly text: string; matches: (text: string) => boolean }, longest: number) =>
  YamlText((text) =>
    pattern.matches(text) && text.length <= longest
      ? null
      : `must match ${pattern.text} and have at most ${longest} characters`,
  );

const Email = () => YamlText((text) => (/^[^\s@]+@[^\s@]+$/.test(text) ? null : 'must be an email address'));

/** Why a text cannot be an API key. Basic authentication splits at a colon, and headers carry only visible ASCII. */
function keyProblem(text: string): string | null {
  if (text === '') return 'must not be empty';
  if (/[:\s]/.test(text)) return 'must not hold a colon or blank';
  return /^[!-~]+$/.test(text) ? null : 'must hold visible ASCII characters only';
}

const KeyInput = closed('BootstrapKey', {
  key: YamlText(keyProblem),
  description: Optional(YamlText()),
  expires_at: Optional(YamlSeconds()),
});
type KeyInput = InstanceType<typeof KeyInput>;

const UserInput = closed('BootstrapUser', {
  name: Name(PATTERNS.environment, NAME_LONGEST),
  email: Email(),
  api_keys: Optional(YamlList(() => KeyInput)),
  enforce: Optional(YamlFlag()),
});

const MemberInput = closed('BootstrapMember', {
  user: YamlText(),
  role: YamlWord(ROLES),
  enforce: Optional(YamlFlag()),
});

const ServiceAccountInput = closed('BootstrapServiceAccount', {
  name: Name(PATTERNS.serviceAccount, SERVICE_ACCOUNT_LONGEST),
  privilege: YamlWord(ROLES),
  description: Optional(YamlText()),
  api_keys: Optional(YamlList(() => KeyInput)),
  enforce: Optional(YamlFlag()),
});

const OrganizationInput = closed('BootstrapOrganization', {
  name: Name(PATTERNS.environment, NAME_LONGEST),
  members: Optional(YamlList(() => MemberInput)),
  service_accounts: Optional(YamlList(() => ServiceAccountInput)),
  enforce: Optional(YamlFlag()),
});
type OrganizationInput = InstanceType<typeof OrganizationInput>;

const FileInput = closed('BootstrapFile', {
  users: Optional(YamlList(() => UserInput)),
  organizations: Optional(YamlList(() => OrganizationInput)),
});
type FileInput = InstanceType<typeof FileInput>;

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
