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

const PARTS: Readonly<Record<string, readonly Part[]>> = { '2.9': BEFORE, '2.10': AFTER };

/** The bill of materials (CycloneDX) of a version of the web shop; null of earlier versions, of which none was made. */
export function sbomOf(version: string): string | null {
  const parts = PARTS[version];
  if (parts === undefined) return null;
  const components = parts.map(([group, name, of, id]) => ({
    type: 'library',
    group,
    name,
    version: of,
    purl: `pkg:maven/${group}/${name}@${of}`,
    licenses: [{ license: { id } }],
  }));
  return JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components });
}
