/** An entry of a database, as OSV writes it. */
const entry = (id: string, group: string, name: string, events: readonly object[], fields: object) => ({
  id,
  schema_version: '1.6.0',
  affected: [{ package: { ecosystem: 'Maven', name: `${group}:${name}` }, ranges: [{ type: 'ECOSYSTEM', events }] }],
  ...fields,
});

/** A small database: Log4Shell, which version 2.10 of the web shop fixes, and two that were made up and run in both versions. */
const ENTRIES = [
  entry(
    ...(['GHSA-jfh8-c2jp-5v3q', 'org.apache.logging.log4j', 'log4j-core'] as const),
    [{ introduced: '2.4' }, { fixed: '2.15.0' }],
    {
      aliases: ['CVE-2021-44228'],
      summary: 'Remote code injection in Log4j',
      published: '2021-12-10T00:40:56Z',
      modified: '2024-06-25T00:00:00Z',
      database_specific: { severity: 'CRITICAL' },
    },
  ),
  entry(
    ...(['DEMO-2024-0001', 'org.postgresql', 'postgresql'] as const),
    [{ introduced: '42.7.0' }, { fixed: '42.7.5' }],
    {
      aliases: [],
      summary: 'Made up: a connection may stay open',
      published: '2024-11-04T09:00:00Z',
      modified: '2024-11-04T09:00:00Z',
      database_specific: { severity: 'MEDIUM' },
    },
  ),
  entry(
    ...(['DEMO-2024-0002', 'com.fasterxml.jackson.core', 'jackson-databind'] as const),
    [{ introduced: '2.18.0' }, { fixed: '2.18.3' }],
    {
      aliases: [],
      summary: 'Made up: a deep document takes long to read',
      published: '2024-12-02T09:00:00Z',
      modified: '2024-12-02T09:00:00Z',
      database_specific: { severity: 'HIGH' },
    },
  ),
];

/** What the shop says of it: no document of a stranger is read. */
const STATEMENTS = {
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://shop.example.com/vex/1',
  author: 'Demo shop, security',
  timestamp: '2024-12-03T10:00:00Z',
  version: 1,
  statements: [
    {
      vulnerability: { name: 'DEMO-2024-0002' },
      products: [{ '@id': 'pkg:maven/com.fasterxml.jackson.core/jackson-databind' }],
      status: 'not_affected',
      justification: 'vulnerable_code_cannot_be_controlled_by_adversary',
    },
  ],
};

/** The files of vulnerabilities that the shop imports, by name. */
export const VULNERABILITY_FILES = {
  'demo-osv.json': JSON.stringify(ENTRIES),
  'demo-openvex.json': JSON.stringify(STATEMENTS),
};
