import { existsSync, globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../common/command.ts';
import { read, root } from '../../common/root.ts';

/** Pages for who runs the service: what they tell to run, the image runs. */
const PAGES = ['docs/{operating,reference}/**/*.md', 'docs/scaling/sharding.md'];
const LIST = 'docs/reference/operations.md';
/** Scripts on these pages that need the repository. */
const REPOSITORY = new Set(['drills', 'engines', 'release', 'verify-release']);
/** What an installation with nothing but its first user answers; everything else ends with 0. */
const REFUSED: Readonly<Record<string, string>> = {
  'remove-user': 'is a member of shop',
  'move-blobs': 'There is one store of attachments',
  'verify-package': 'It could not be checked',
};
/** What stands for words of the pages. */
const VALUES: Readonly<Record<string, string>> = {
  NAME: 'shop',
  GROUP: 'projection',
  acme: 'shop',
  '<name>': 'shop',
  '<organization>': 'shop',
  '<administrator>': 'admin',
  '<group>': 'projection',
  '<number>': '1',
  '<view>': 'deployments',
};

export interface Command {
  readonly script: string;
  readonly words: readonly string[];
  readonly page: string;
}
/** A folder of an image, a folder for what commands write, and the settings of a service that runs. */
export interface Place {
  readonly image: string;
  readonly place: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The commands of the pages, each once: `npm run X -- …` in text and code, and the rows of the list of operations. */
export function documentedCommands(): readonly Command[] {
  const found = new Map<string, Command>();
  for (const page of globSync(PAGES, { cwd: root })) {
    const text = read(page);
    const add = (script: string, words: string) =>
      found.set(`${script} ${words}`, { script, words: wordsOf(words), page });
    for (const [, script = '', words = ''] of text.matchAll(/npm run ([a-z:-]+)(?: -- ([^`\n#]*))?/g))
      add(script, words.trim());
    if (page !== LIST) continue;
    for (const [, words = ''] of text.matchAll(/^\| `([a-z-]+(?: [^`]*)?)` \|/gm)) add('operate', words);
  }
  // A script's bare name, in a sentence about it, is no command, except where it lists what there is.
  const isCommand = ({ script, words }: Command) => (words.length > 0 ? words[0] !== '<name>' : script === 'operate');
  return [...found.values()].filter((one) => !REPOSITORY.has(one.script) && isCommand(one));
}

/** Without what is optional. */
function wordsOf(text: string): readonly string[] {
  return text
    .replaceAll(/\[[^\]]*\]/g, '')
    .split(/\s+/)
    .filter(Boolean);
}

/**
 * Runs these commands in the folder of an image, those of a service against one that runs on a new data folder.
 *
 * @returns what did not work
 */
export function runDocumented(commands: readonly Command[], { image, place, env }: Place): readonly string[] {
  const problems: string[] = [];
  const archive = join(place, 'all.archive');
  const vulnerabilities = join(place, 'osv.json');
  writeFileSync(vulnerabilities, JSON.stringify({ id: 'OSV-1', modified: '2024-01-01T00:00:00Z', affected: [] }));
  let files = 0;
  const valueOf = (word: string, before?: string): string => {
    if (before === 'import') return archive;
    if (before === '<organization>' && word === 'FILE') return vulnerabilities;
    if (/^(FILE|FOLDER|[\w-]+\.archive|FILE\.tgz)$/.test(word)) return join(place, `written-${(files += 1)}`);
    return word === 'keys.json' ? join(place, word) : (VALUES[word] ?? word);
  };
  const runOne = ({ script, words, page }: Command, settings = env): void => {
    const args = words.map((word, i) => valueOf(word, words[i - 1]));
    const [name = ''] = words;
    // `remove-user` is about a user.
    if (name === 'remove-user') args[1] = 'admin';
    const options = { cwd: image, env: settings };
    const { ok, out } = run('npm', ['run', script, ...(args.length > 0 ? ['--', ...args] : [])], options);
    const refused = REFUSED[script === 'operate' ? name : script];
    if (refused === undefined ? ok : out.includes(refused)) return;
    problems.push(`${page}: npm run ${[script, ...words].join(' ')} does not work in the image:\n${out}`);
  };
  const operation = (name: string) => commands.filter(({ script, words }) => script === 'operate' && words[0] === name);
  const created = operation('create-organization');
  const erased = operation('erase-organization');
  const imported = operation('import');
  const apart = new Set([...created, ...erased, ...imported]);
  for (const command of created) runOne(command);
  runOne({ script: 'operate', words: ['export', '--to', archive], page: LIST });
  for (const command of commands.filter((one) => !apart.has(one))) runOne(command);
  for (const command of erased.slice(0, 1)) runOne(command);
  for (const [i, command] of imported.entries()) {
    const alone = { ASSURANCE_DATA_DIR: join(place, `imported-${i}`), ASSURANCE_OPERATIONS_PORT: '1' };
    runOne(command, { ...env, ...alone });
  }
  if (!existsSync(archive)) problems.push('export wrote nothing');
  return problems;
}

/**
 * Runs the chart's scripts of archives in the folder of an image: an export that keeps itself alone, and the import of it.
 *
 * @returns what did not work
 */
export function runScripts({ image, place, env }: Place): readonly string[] {
  const BACKUPS = join(place, 'archives');
  mkdirSync(BACKUPS);
  const script = (name: string, more: Readonly<Record<string, string>> = {}): readonly string[] => {
    const text = read(`deploy/helm/assurance/scripts/${name}`);
    const { ok, out } = run('sh', ['-ec', text], { cwd: image, env: { ...env, BACKUPS, KEEP: '1', ...more } });
    return ok ? [] : [`${name} does not work in the image:\n${out}`];
  };
  writeFileSync(join(BACKUPS, '20200101T000000Z.archive'), 'an older one');
  const exported = script('export.sh');
  const archives = readdirSync(BACKUPS);
  const [BACKUP = ''] = archives;
  const one = archives.length === 1 && !BACKUP.startsWith('2020');
  const kept = one ? [] : [`export.sh keeps ${archives.join(', ')}, not one archive`];
  const empty = { ASSURANCE_DATA_DIR: join(place, 'from-archive'), ASSURANCE_OPERATIONS_PORT: '1' };
  return [...exported, ...kept, ...script('import.sh', { ...empty, BACKUP })];
}
