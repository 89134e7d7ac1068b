/**
 * The section of a release in the changelog, without its heading.
 *
 * @throws Error if there is none with a date
 */
export function notesOf(changelog: string, version: string): string {
  const section = sectionsOf(changelog).find((one) => one.startsWith(`[${version}] - `));
  if (section === undefined || !/^\S+ - \d{4}-\d{2}-\d{2}\n/.test(section)) {
    throw new Error(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD": write it first`);
  }
  return section.slice(section.indexOf('\n')).trim();
}

/** @throws Error if the changelog has entries that belong to no release */
export function refuseUnreleased(changelog: string): void {
  const unreleased = sectionsOf(changelog).find((one) => one.startsWith('[Unreleased]')) ?? '';
  if (/^- /m.test(unreleased)) {
    throw new Error('CHANGELOG.md has entries below "## [Unreleased]": move them to the section of the release');
  }
}

/** Where the workflow of releases pushes the image and the charts, for the notes; empty where it does not run. */
export function placesOf(version: string, env: Readonly<Record<string, string | undefined>>): string {
  const { REGISTRY: registry, GITHUB_REPOSITORY: repository } = env;
  if (registry === undefined || repository === undefined) return '';
  const image = `${registry}/${repository.toLowerCase()}`;
  const charts = `oci://${image.slice(0, image.lastIndexOf('/'))}/charts`;
  return `\n### Where it is\n\n- Image: \`${image}:${version}\`\n- Charts, version ${version}: \`${charts}/assurance\` and \`${charts}/reporter\`\n`;
}

const sectionsOf = (changelog: string) => changelog.split(/^## /m).slice(1);
