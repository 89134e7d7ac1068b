import { notesOf, placesOf, refuseUnreleased } from './changelog.ts';

const changelog = (unreleased: string) =>
  `# Changelog\n\n## [Unreleased]\n${unreleased}\n## [1.2.0] - 2026-11-30\n\n### Added\n\n- Tea.\n\n## [1.1.0]\n\n- Milk.\n`;

describe('the changelog of a release', () => {
  it('gives the notes of a version with a date', () => {
    expect(notesOf(changelog(''), '1.2.0')).toBe('### Added\n\n- Tea.');
    for (const version of ['1.1.0', '1.3.0']) {
      expect(() => notesOf(changelog(''), version)).toThrow(`no section "## [${version}] - YYYY-MM-DD"`);
    }
  });

  it('refuses a release while it has entries that belong to none', () => {
    expect(() => refuseUnreleased(changelog(''))).not.toThrow();
    expect(() => refuseUnreleased(changelog('\n### Fixed\n\n- A leak.\n'))).toThrow('below "## [Unreleased]"');
  });

  it('names where the workflow pushes the image and the charts', () => {
    expect(placesOf('1.2.0', { REGISTRY: 'registry.test', GITHUB_REPOSITORY: 'Acme/Assurance' })).toBe(
      '\n### Where it is\n\n- Image: `registry.test/acme/assurance:1.2.0`\n- Charts, version 1.2.0: `oci://registry.test/acme/charts/assurance` and `oci://registry.test/acme/charts/reporter`\n',
    );
    expect(placesOf('1.2.0', {})).toBe('');
  });
});
