import { ROLES } from '@assurance/contracts/access/events';
import { PATTERNS } from '@assurance/contracts/http/patterns';
import type {
  Bootstrap,
  BootstrapKey,
  BootstrapMember,
  BootstrapOrganization,
  BootstrapServiceAccount,
  BootstrapUser,
} from '@assurance/http';
import { err, ok, type Result } from '@assurance/kernel';
import { type Field, openYaml } from './yaml-field';

const NAME_LONGEST = 100;
const SERVICE_ACCOUNT_LONGEST = 64;

/**
 * Reads and checks the bootstrap file: declared users with their keys, organizations with members and service accounts.
 *
 * @param readFile returns a file's text; throws when it cannot
 * @returns what is declared, or one sentence that names the file, line, column and field; a key never shows in it
 */
export function readBootstrapFile(path: string, readFile: (path: string) => string): Result<Bootstrap, string> {
  const opened = openYaml('bootstrap file', path, readFile);
  if (!opened.ok) return opened;
  const { root, problem } = opened.value;
  const keys = new Set<string>();
  const { users, organizations } = root.map('users', 'organizations');
  const declaredUsers = users.list((item) => user(item, keys));
  const names = unique(users, declaredUsers);
  const declaredOrganizations = organizations.list((item) => organization(item, names, keys));
  unique(organizations, declaredOrganizations);
  const refusal = problem();
  return refusal === null
    ? ok({ kind: 'file', users: declaredUsers, organizations: declaredOrganizations })
    : err(refusal);
}

function user(field: Field, keys: Set<string>): BootstrapUser {
  const { name, email, api_keys, enforce } = field.map('name', 'email', 'api_keys', 'enforce');
  return {
    name: accountName(name),
    email: email.text((text) => (/^[^\s@]+@[^\s@]+$/.test(text) ? null : 'must be an email address')),
    apiKeys: api_keys.list((key) => apiKey(key, keys)),
    enforce: enforce.optionalFlag(),
  };
}

function apiKey(field: Field, keys: Set<string>): BootstrapKey {
  const { key, description, expires_at } = field.map('key', 'description', 'expires_at');
  const text = key.text(keyProblem);
  if (text !== '' && keys.has(text)) key.refuse('is given twice in this file');
  keys.add(text);
  return { key: text, description: description.optionalText(), expiresAt: expires_at.seconds() };
}

/** Why a text cannot be an API key: basic authentication splits at a colon, headers carry visible ASCII only. */
function keyProblem(text: string): string | null {
  if (text === '') return 'must not be empty';
  if (/[:\s]/.test(text)) return 'must not hold a colon or blank';
  return /^[!-~]+$/.test(text) ? null : 'must hold visible ASCII characters only';
}

function organization(field: Field, users: ReadonlySet<string>, keys: Set<string>): BootstrapOrganization {
  const { name, members, service_accounts, enforce } = field.map('name', 'members', 'service_accounts', 'enforce');
  const all = enforce.optionalFlag();
  const declaredName = accountName(name);
  if (users.has(declaredName)) {
    name.refuse(`is '${declaredName}', which is a user's name and so that of the user's personal organization`);
  }
  const declaredMembers = members.list((item) => member(item, users, all));
  unique(members, declaredMembers, 'user');
  const serviceAccounts = service_accounts.list((account) => serviceAccount(account, keys, all));
  unique(service_accounts, serviceAccounts);
  return { name: declaredName, members: declaredMembers, serviceAccounts };
}

/** @param enforced all of the organization is */
function member(field: Field, users: ReadonlySet<string>, enforced: boolean): BootstrapMember {
  const fields = field.map('user', 'role', 'enforce');
  const user = fields.user.text((text) =>
    users.has(text) ? null : `is '${text}', who is not among the users of this file`,
  );
  return { user, role: fields.role.oneOf(ROLES), enforce: fields.enforce.optionalFlag() || enforced };
}

function serviceAccount(field: Field, keys: Set<string>, enforced: boolean): BootstrapServiceAccount {
  const fields = field.map('name', 'privilege', 'description', 'api_keys', 'enforce');
  const { name, privilege, description, api_keys, enforce } = fields;
  return {
    name: name.text((text) =>
      PATTERNS.serviceAccount.matches(text) && text.length <= SERVICE_ACCOUNT_LONGEST
        ? null
        : `must match ${PATTERNS.serviceAccount.text} and have at most ${SERVICE_ACCOUNT_LONGEST} characters`,
    ),
    privilege: privilege.oneOf(ROLES),
    description: description.optionalText(),
    apiKeys: api_keys.list((key) => apiKey(key, keys)),
    enforce: enforce.optionalFlag() || enforced,
  };
}

/** Names of users and organizations stand raw in paths, so they need no escaping there. */
function accountName(field: Field): string {
  return field.text((text) =>
    PATTERNS.environment.matches(text) && text.length <= NAME_LONGEST
      ? null
      : `must match ${PATTERNS.environment.text} and have at most ${NAME_LONGEST} characters`,
  );
}

/** Refuses the second of two equal names in a list. */
function unique<Item extends object>(
  list: Field,
  items: readonly Item[],
  by: keyof Item & string = 'name' as keyof Item & string,
): ReadonlySet<string> {
  const seen = new Set<string>();
  items.forEach((item, index) => {
    const name = String(item[by]);
    if (name !== '' && seen.has(name)) list.at(index, by).refuse(`is '${name}', which is given twice`);
    seen.add(name);
  });
  return seen;
}
