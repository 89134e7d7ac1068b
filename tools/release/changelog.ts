/**
 * The section of a release in the changelog, without its heading.
 *
 * @throws Error if there is none with a date
 */
export function notesOf(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((one) => one.startsWith(`[${version}] - `));
  if (section === undefined || !/^\S+ - \d{4}-\d{2}-\d{2}\n/.test(section)) {
    throw new Error(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD": write it first`);
  }
  return section.slice(section.indexOf('\n')).trim();
}
