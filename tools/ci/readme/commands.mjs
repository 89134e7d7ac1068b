import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

/**
 * Runs commands in order in one bash, so that variables persist. A line `export NAME=…` with a name in `given` gets the value from `given`.
 *
 * @param {string[]} commands
 * @param folder an empty folder for scripts and outputs
 * @returns {{out: string, code: number}[]}
 */
export function runInBash(commands, given, folder) {
  const script = commands.map((text, i) => {
    const command = text.replace(/^export (\w+)=.*$/gm, (line, name) =>
      name in given ? `export ${name}='${given[name]}'` : line,
    );
    writeFileSync(join(folder, `${i}.sh`), command);
    return `. ./${i}.sh >${i}.out; echo $? >${i}.code`;
  });
  writeFileSync(join(folder, 'all.sh'), script.join('\n'));
  const { error } = spawnSync('bash', ['all.sh'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 120_000,
  });
  if (error) throw error;
  const read = (file) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '');
  return commands.map((_, i) => ({ out: read(`${i}.out`), code: Number(read(`${i}.code`) || 1) }));
}

/**
 * Compares two JSON answers. Ignores values that differ in every run: UUIDs (also without their last four digits), times (whole words of ten digits
 * that begin with 1, with or without a fraction), and the port of localhost.
 */
export function sameAnswer(shown, got) {
  try {
    return isDeepStrictEqual(JSON.parse(masked(shown)), JSON.parse(masked(got)));
  } catch (fault) {
    if (fault instanceof SyntaxError) return false;
    throw fault;
  }
}

function masked(text) {
  return text
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{8}(?:[0-9a-f]{4})?\b/g, 'ID')
    .replace(/\b1\d{9}(\.\d+)?\b/g, '1000000000')
    .replace(/\b(after|before)=[\w-]+/g, '$1=ROW')
    .replace(/\b(localhost|127\.0\.0\.1):\d+\b/g, 'HOST');
}
