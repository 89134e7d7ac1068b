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
