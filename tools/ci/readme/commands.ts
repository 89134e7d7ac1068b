import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { lexer } from 'marked';
import { run } from '../../common/command.ts';

/** A fenced block: its language, its text, and how it is written in the page. */
export interface Block {
  readonly lang: string;
  readonly text: string;
  readonly raw: string;
  /** The line of the page where it begins. */
  readonly line: number;
}

/**
 * Returns the fenced blocks below a heading, up to the next heading of the same level.
 *
 * @param page Markdown
 * @param heading such as `## Limits`
 */
export function blocksBelow(page: string, heading: string): readonly Block[] {
  const blocks: Block[] = [];
  let [isBelow, line] = [false, 1];
  for (const token of lexer(page)) {
    if (token.type === 'heading' && (isBelow ? heading.indexOf(' ') === token['depth'] : token.raw.trim() === heading))
      isBelow = !isBelow;
    const { raw } = token;
    if (isBelow && token.type === 'code')
      blocks.push({ lang: String(token['lang']), text: `${token['text']}\n`, raw, line });
    line += raw.split('\n').length - 1;
  }
  if (blocks.length === 0) throw new Error(`the document has no blocks below "${heading}"`);
  return blocks;
}

/** Returns the commands in order, each with the answer that the page shows after it, or null. */
export function steps(blocks: readonly Block[]): readonly { readonly command: Block; readonly answer: Block | null }[] {
  return blocks.flatMap((command, i) => {
    const next = blocks[i + 1];
    return command.lang === 'sh' ? [{ command, answer: next?.lang === 'json' ? next : null }] : [];
  });
}

/**
 * Runs commands in order in one bash, so that variables persist. A line `export NAME=…` with a name in `given` gets the value from `given`.
 *
 * @param folder an empty folder for scripts and outputs
 */
export function runInBash(
  commands: readonly string[],
  given: Readonly<Record<string, string>>,
  folder: string,
): readonly { readonly out: string; readonly code: number }[] {
  const script = commands.map((text, i) => {
    const command = text.replace(/^export (\w+)=.*$/gm, (line, name: string) =>
      name in given ? `export ${name}='${given[name]}'` : line,
    );
    writeFileSync(join(folder, `${i}.sh`), command);
    return `. ./${i}.sh >${i}.out; echo $? >${i}.code`;
  });
  writeFileSync(join(folder, 'all.sh'), script.join('\n'));
  run('bash', ['all.sh'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: 120_000 });
  const read = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '');
  return commands.map((_, i) => ({ out: read(`${i}.out`), code: Number(read(`${i}.code`) || 1) }));
}

/**
 * Compares two JSON answers. Ignores values that differ in every run: UUIDs (also without their last four digits), times (whole words of ten digits
 * that begin with 1, with or without a fraction), and the port of localhost.
 */
export function sameAnswer(shown: string, got: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(masked(shown)), JSON.parse(masked(got)));
  } catch (fault) {
    if (fault instanceof SyntaxError) return false;
    throw fault;
  }
}

function masked(text: string): string {
  return text
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{8}(?:[0-9a-f]{4})?\b/g, 'ID')
    .replace(/\b1\d{9}(\.\d+)?\b/g, '1000000000')
    .replace(/\b(after|before)=[\w-]+/g, '$1=ROW')
    .replace(/\b(localhost|127\.0\.0\.1):\d+\b/g, 'HOST');
}
