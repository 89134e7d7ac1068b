let failures = 0;

/** Prints whether something that is checked holds, and why not. */
export function tell(ok: boolean, what: string, detail = ''): void {
  console.log(`${ok ? 'ok     ' : 'FAILED '}  ${what}${ok || detail === '' ? '' : `\n${detail}`}`);
  if (!ok) failures += 1;
}

/** Prints how many checks failed, and makes that the exit code. */
export function conclude(): void {
  console.log(`\n${failures} failed`);
  process.exitCode = failures === 0 ? 0 : 1;
}

/** Prints what is wrong, one sentence each, and how much that is of what, and makes that the exit code. */
export function list(problems: readonly string[], what: string): void {
  for (const problem of problems) console.error(problem);
  console.log(`${problems.length} problems ${what}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** A table in Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
