import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBootstrapFile } from './bootstrap-file';

const USERS = 'users:\n  - name: ada\n    email: ada@example.com\n';

function read(text: string) {
  return readBootstrapFile('b.yaml', () => text);
}

describe('readBootstrapFile', () => {
  it('reads users, organizations, members, service accounts and keys', () => {
    const text = `
users:
  - name: ada
    email: ada@example.com
    api_keys: [{ key: "given-secret", description: laptop, expires_at: 1893456000 }, { key: "second" }]
  - { name: bo, email: bo@example.com }
organizations:
  - name: acme
    members: [{ user: ada, role: admin }, { user: bo, role: reader }]
    service_accounts: [{ name: ci, privilege: member, description: "", api_keys: [{ key: "third", description: "", expires_at: 0 }] }]
`;
    expect(read(text)).toEqual({
      ok: true,
      value: {
        kind: 'file',
        users: [
          {
            name: 'ada',
            email: 'ada@example.com',
            enforce: false,
            apiKeys: [
              { key: 'given-secret', description: 'laptop', expiresAt: 1_893_456_000 },
              { key: 'second', description: '', expiresAt: 0 },
            ],
          },
          { name: 'bo', email: 'bo@example.com', apiKeys: [], enforce: false },
        ],
        organizations: [
          {
            name: 'acme',
            members: [
              { user: 'ada', role: 'admin', enforce: false },
              { user: 'bo', role: 'reader', enforce: false },
            ],
            serviceAccounts: [
              {
                name: 'ci',
                privilege: 'member',
                description: '',
                enforce: false,
                apiKeys: [{ key: 'third', description: '', expiresAt: 0 }],
              },
            ],
          },
        ],
      },
    });
  });

  it('reads the example of the documentation', () => {
    const page = readFileSync(join(__dirname, '../../../docs/operating/configuration.md'), 'utf8');
    const [, text = ''] = /^## The bootstrap file\n[^]*?^```yaml\n([^]*?)^```$/m.exec(page) ?? [];
    const member = { user: 'ada', role: 'admin', enforce: true };
    const [user, account] = ['a-long-random-text-of-your-own', 'another-long-random-text'].map((key) => [{ key }]);
    expect(read(text)).toMatchObject({
      value: {
        users: [{ name: 'ada', apiKeys: user }],
        organizations: [{ name: 'acme', members: [member], serviceAccounts: [{ name: 'ci', apiKeys: account }] }],
      },
    });
  });

  it('reads what is enforced: a part alone, or all of an organization', () => {
    const text = `
users: [{ name: ada, email: ada@example.com, enforce: true }, { name: bo, email: bo@example.com }]
organizations:
  - { name: acme, members: [{ user: ada, role: admin, enforce: true }, { user: bo, role: reader }] }
  - { name: shop, enforce: true, members: [{ user: ada, role: admin }], service_accounts: [{ name: ci, privilege: member }] }
`;
    const result = read(text);
    if (!result.ok || result.value.kind !== 'file') throw new Error('the file is right');
    const { users, organizations } = result.value;
    const enforced = (all: readonly { readonly enforce: boolean }[]) => all.map(({ enforce }) => enforce);
    expect(enforced(users)).toEqual([true, false]);
    expect(organizations.map(({ members }) => enforced(members))).toEqual([[true, false], [true]]);
    expect(organizations.map(({ serviceAccounts }) => enforced(serviceAccounts))).toEqual([[], [true]]);
    expect(read(text.replace('enforce: true }, { user: bo', 'enforce: yes }, { user: bo'))).toMatchObject({
      ok: false,
    });
  });

  const keys = (list: string) => `${USERS}    api_keys: ${list}\n`;
  const organization = (rest: string) => `${USERS}organizations:\n  - name: acme\n    ${rest}\n`;

  it.each([
    [keys('[{ key: "a" }, { key: "b:c" }]'), 'b.yaml:4:37: users[0].api_keys[1].key must not hold a colon or blank.'],
    [keys('[{ key: "b c" }]'), 'b.yaml:4:23: users[0].api_keys[0].key must not hold a colon or blank.'],
    [keys('[{ key: "" }]'), 'b.yaml:4:23: users[0].api_keys[0].key must not be empty.'],
    [keys('[{ key: "ключ" }]'), 'b.yaml:4:23: users[0].api_keys[0].key must hold visible ASCII characters only.'],
    [keys('[{ key: 12345 }]'), 'b.yaml:4:23: users[0].api_keys[0].key must be a text; put it in quotes.'],
    [keys('[{ description: x }]'), 'b.yaml:4:16: users[0].api_keys[0].key is missing.'],
    [
      keys('[{ key: a, expires_at: soon }]'),
      'b.yaml:4:38: users[0].api_keys[0].expires_at must be epoch seconds as a whole number, 0 for never.',
    ],
    [
      keys('[{ key: a, expires_at: -1 }]'),
      'b.yaml:4:38: users[0].api_keys[0].expires_at must be epoch seconds as a whole number, 0 for never.',
    ],
    [keys('[{ key: a }, { key: a }]'), 'b.yaml:4:35: users[0].api_keys[1].key is given twice in this file.'],
    [
      keys('[{ key: a, expires: 0 }]'),
      'b.yaml:4:26: users[0].api_keys[0].expires is not known; there are key, description, expires_at.',
    ],
    [keys('a'), 'b.yaml:4:15: users[0].api_keys must be a list.'],
    ['users:\n  - name: ada\n', 'b.yaml:2:5: users[0].email is missing.'],
    ['users:\n  - name: ada\n    email: ada\n', 'b.yaml:3:12: users[0].email must be an email address.'],
    [
      'users:\n  - name: a/b\n    email: a@b\n',
      'b.yaml:2:11: users[0].name must match ^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_]*$ and have at most 100 characters.',
    ],
    [`${USERS}  - name: ada\n    email: a@b\n`, "b.yaml:4:11: users[1].name is 'ada', which is given twice."],
    [
      organization('members: [{ user: bob, role: admin }]'),
      "b.yaml:6:23: organizations[0].members[0].user is 'bob', who is not among the users of this file.",
    ],
    [
      organization('members: [{ user: ada, role: owner }]'),
      "b.yaml:6:34: organizations[0].members[0].role is 'owner', but must be one of admin, member, snapshotter, auditor, reader.",
    ],
    [
      organization('members: [{ user: ada, role: admin }, { user: ada, role: reader }]'),
      "b.yaml:6:51: organizations[0].members[1].user is 'ada', which is given twice.",
    ],
    [
      organization('service_accounts: [{ name: c_i, privilege: member }]'),
      'b.yaml:6:32: organizations[0].service_accounts[0].name must match ^[a-zA-Z0-9\\-]+$ and have at most 64 characters.',
    ],
    [
      organization('service_accounts: [{ name: ci, privilege: root }]'),
      "b.yaml:6:47: organizations[0].service_accounts[0].privilege is 'root', but must be one of admin, member, snapshotter, auditor, reader.",
    ],
    [
      `${USERS}organizations:\n  - name: ada\n`,
      "b.yaml:5:11: organizations[0].name is 'ada', which is a user's name and so that of the user's personal organization.",
    ],
    [
      `${USERS}organizations:\n  - name: acme\n  - name: acme\n`,
      "b.yaml:6:11: organizations[1].name is 'acme', which is given twice.",
    ],
    [`${USERS}teams: []\n`, 'b.yaml:4:1: teams is not known; there are users, organizations.'],
    ['', 'b.yaml: it must be a map of users, organizations.'],
    ['- users\n', 'b.yaml:1:1: it must be a map of users, organizations.'],
    ['users: [ada]\n', 'b.yaml:1:9: users[0] must be a map of name, email, api_keys, enforce.'],
    ['users: [null]\n', 'b.yaml:1:8: users[0] must be a map of name, email, api_keys, enforce.'],
    ['users: { name: ada }\n', 'b.yaml:1:8: users must be a list.'],
    ['users:\n  - name: ada\n    email: null\n', 'b.yaml:2:5: users[0].email is missing.'],
    [
      `${USERS}    constructor: 1\n`,
      'b.yaml:4:5: users[0].constructor is not known; there are name, email, api_keys, enforce.',
    ],
    [`${USERS}    enforce: maybe\n`, 'b.yaml:4:14: users[0].enforce must be true or false.'],
  ])('refuses %j', (text, sentence) => {
    expect(read(text)).toEqual({ ok: false, refusal: `bootstrap file ${sentence}` });
  });

  it('refuses a key that a user and a service account share', () => {
    const text = `${keys('[{ key: same }]')}organizations:\n  - name: acme\n    service_accounts: [{ name: ci, privilege: member, api_keys: [{ key: same }] }]\n`;
    expect(read(text)).toMatchObject({
      refusal: expect.stringMatching(
        /organizations\[0\]\.service_accounts\[0\]\.api_keys\[0\]\.key is given twice in this file\.$/,
      ),
    });
  });

  it('names the first problem in the file', () => {
    const text = 'users:\n  - name: a/b\n    email: a@b\n    age: 3\nteams: []\n';
    expect(read(text)).toMatchObject({ refusal: expect.stringContaining('b.yaml:2:11: users[0].name must match') });
  });

  it('reads aliases and takes null for left out', () => {
    const text = `users:
  - { name: ada, email: ada@example.com, api_keys: &keys [{ key: one, description: null }], enforce: ~ }
  - { name: bo, email: bo@example.com, api_keys: *keys }
organizations: null
`;
    expect(read(text)).toEqual({
      ok: false,
      refusal: 'bootstrap file b.yaml:2:66: users[1].api_keys[0].key is given twice in this file.',
    });
    expect(read(text.replace(', api_keys: *keys', ''))).toMatchObject({
      ok: true,
      value: { users: [{ enforce: false, apiKeys: [{ key: 'one', description: '', expiresAt: 0 }] }, { name: 'bo' }] },
    });
  });

  it('never shows a key', () => {
    const secret = 'hush:hush';
    expect(read(keys(`[{ key: "${secret}" }]`))).not.toMatchObject({ refusal: expect.stringContaining('hush') });
  });

  it('refuses a field that is given twice, and a file that is not there', () => {
    expect(read('users: []\nusers: []\n')).toMatchObject({
      refusal: expect.stringMatching(/^bootstrap file b\.yaml:2:1 is not valid YAML: /),
    });
    const missing = readBootstrapFile('none.yaml', () => {
      throw Object.assign(new Error('x'), { code: 'ENOENT' });
    });
    expect(missing).toEqual({ ok: false, refusal: 'bootstrap file none.yaml cannot be read: there is no such file.' });
  });
});
