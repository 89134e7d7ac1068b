type Part = readonly [group: string, name: string, version: string, licence: string];

/** What version 2.9 of the web shop contains: its logger has a vulnerability (CVE-2021-44228). */
const BEFORE: readonly Part[] = [
  ['org.apache.logging.log4j', 'log4j-api', '2.14.1', 'Apache-2.0'],
  ['org.apache.logging.log4j', 'log4j-core', '2.14.1', 'Apache-2.0'],
  ['org.springframework', 'spring-core', '6.2.1', 'Apache-2.0'],
  ['org.springframework', 'spring-web', '6.2.1', 'Apache-2.0'],
  ['com.fasterxml.jackson.core', 'jackson-databind', '2.18.2', 'Apache-2.0'],
  ['org.postgresql', 'postgresql', '42.7.4', 'BSD-2-Clause'],
  ['org.slf4j', 'slf4j-api', '2.0.16', 'MIT'],
  ['jakarta.servlet', 'jakarta.servlet-api', '6.1.0', 'EPL-2.0'],
];

/** Version 2.10 has the logger in which it is fixed. */
const AFTER = BEFORE.map(([group, name, version, licence]): Part => {
  return [group, name, name.startsWith('log4j-') ? '2.17.1' : version, licence];
});

/** The versions that have one: its parts and its SHA-256, which browsers compute only on localhost and over HTTPS. */
const SBOMS: Readonly<Record<string, { readonly parts: readonly Part[]; readonly sha256: string }>> = {
  '2.9': { parts: BEFORE, sha256: '8ae46c7594bb6ab8260757fd0cd0901844fbb9d15b5a5b87167f8bd6ebd4bd2d' },
  '2.10': { parts: AFTER, sha256: 'b1c3f1e67d3f89ef4844dd5c071eb27a7f476ea260ffbcae94bddafe49f26fad' },
};

/** The bill of materials (CycloneDX) of a version of the web shop; null of earlier versions, of which none was made. */
export function sbomOf(version: string): { readonly text: string; readonly sha256: string } | null {
  const sbom = SBOMS[version];
  if (sbom === undefined) return null;
  const components = sbom.parts.map(([group, name, of, id]) => ({
    type: 'library',
    group,
    name,
    version: of,
    purl: `pkg:maven/${group}/${name}@${of}`,
    licenses: [{ license: { id } }],
  }));
  return { text: JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components }), sha256: sbom.sha256 };
}
