import type { ListedVulnerability } from '@assurance/contracts/vulnerabilities/events';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { type Documents, findPages } from '@assurance/storage-ports';
import { follow } from '@assurance/vulnerabilities/read/vulnerabilities/follow';
import { Budget } from '@assurance/vulnerabilities/read/vulnerabilities/budget';
import { scansOfSubjects } from '@assurance/vulnerabilities/read/vulnerabilities/reported-findings';
import {
  vulnerabilitiesOfComponents,
  findVulnerabilityByName,
} from '@assurance/vulnerabilities/read/vulnerabilities/groups';
import { ListedVulnerabilities, type Scope } from '@assurance/vulnerabilities/read/vulnerabilities/listed';
import { entryRows, matchRows } from '@assurance/vulnerabilities/read/vulnerabilities/rows';
import fc from 'fast-check';
import { batchSizes, cutIntoPieces, scheduleOperations, stoppedAfter } from '../support/interleaved';
import { temporaryEngines } from '../support/temporary-engines';

type FollowedRecord = Parameters<typeof follow>[1][number];

const NAMES = ['tea', 'cup', 'rim'] as const;

const entries = fc.array(
  fc.record({
    id: fc.constantFrom('A', 'B', 'C'),
    alias: fc.constantFrom(null, 'CVE-1', 'CVE-2'),
    modified: fc.integer({ min: 1, max: 4 }),
    withdrawn: fc.boolean(),
    severity: fc.constantFrom(null, 'low', 'critical'),
    names: fc.subarray([...NAMES]),
    fixed: fc.constantFrom('1.0.0', '2.0.0'),
  }),
  { maxLength: 6 },
);
/** Reports of a scanner on one of two artifacts, each under one of two names; null: an attestation without one. */
const scans = fc.array(
  fc.record({
    fingerprint: fc.constantFrom('one', 'two'),
    name: fc.constantFrom('scan', 'other'),
    names: fc.option(fc.subarray(['A', 'CVE-1', 'CVE-2', 'D'])),
  }),
  { maxLength: 5 },
);
const boms = fc.array(fc.subarray([...NAMES].flatMap((name) => [`${name}@0.5.0`, `${name}@1.5.0`])), { maxLength: 3 });

type GeneratedEntry = typeof entries extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

function listedVulnerability({
  id,
  alias,
  modified,
  withdrawn,
  severity,
  names,
  fixed,
}: GeneratedEntry): ListedVulnerability {
  return {
    id,
    aliases: alias === null ? [] : [alias],
    published: null,
    modified,
    summary: '',
    withdrawn: withdrawn ? modified : null,
    severity: severity as ListedVulnerability['severity'],
    affected: names.map((name) => ({
      type: 'npm',
      distribution: null,
      release: null,
      name,
      purl: null,
      versions: [],
      ranges: [
        {
          type: 'SEMVER',
          events: [
            { kind: 'introduced', version: '0' },
            { kind: 'fixed', version: fixed },
          ],
        },
      ],
    })),
  };
}

function imports(org: string, all: readonly GeneratedEntry[]): FollowedRecord[] {
  return all.map((draft, at) => ({
    event: { type: 'VulnerabilitiesListed', version: 1, data: { vulnerabilities: [listedVulnerability(draft)] } },
    meta: { org, stream: `vulnerabilities/${org}`, seq: at + 1, at: 1, actor: 'x' },
  }));
}

function trail(org: string, number: number, all: readonly (readonly string[])[]): FollowedRecord[] {
  return all.map((purls, at) => {
    const components = purls.map((text) => {
      const [name = '', version = ''] = text.split('@');
      return { purl: `pkg:npm/${text}`, name, version, licences: [], sha256: null };
    });
    return {
      event: { type: 'ComponentsListed', version: 1, data: { components } },
      meta: { org, stream: `trail/${org}-${number}`, seq: at + 1, at: 1, actor: 'x' },
    };
  });
}

function reports(org: string, all: typeof scans extends fc.Arbitrary<infer All> ? All : never): FollowedRecord[] {
  const finding = (id: string) => ({
    id,
    aliases: [],
    severity: 'high' as const,
    title: '',
    published: null,
    package: null,
    fixedIn: [],
  });
  return all.flatMap(({ fingerprint, name, names }, at): FollowedRecord[] => {
    const meta = { org, stream: `trail/${org}-3`, seq: at + 1, at: at + 1, actor: 'x' };
    const isFirst = all.slice(0, at).every((scan) => scan.fingerprint !== fingerprint || scan.name !== name);
    const data = {
      id: `${at}`,
      name,
      type: 'generic',
      countsAs: 'generic',
      compliant: true,
      attachments: [],
      target: { kind: 'artifact', fingerprint, artifactId: 'a', filename: 'web', template: null },
      previous: isFirst ? null : 'before',
      overriddenId: null,
      typeVersion: null,
      control: null,
      commit: null,
      repo: null,
      originUrl: null,
      ...(names === null ? {} : { findings: { tool: 'Trivy', listed: names.length, left: 0 } }),
    } as const;
    const listed: FollowedRecord[] = (names ?? []).map((id) => ({
      event: { type: 'FindingsListed', version: 1, data: { findings: [finding(id)] } },
      meta,
    }));
    return [{ event: { type: 'AttestationReported', version: 1, data }, meta }, ...listed];
  });
}

/** The vulnerabilities of the list, read a few at a time. */
async function listOf(documents: Documents, org: string, rank = 0, scope: Scope | null = null) {
  const list = await ListedVulnerabilities.read(documents, org, rank, scope);
  if (list === 'too-many') throw new Error('too many');
  const all: Exclude<Awaited<ReturnType<typeof list.vulnerabilities>>, string>[number][] = [];
  for (let at = 0; at < list.count; at += 2) {
    const names = list.names(at, at + 2);
    const some = await list.vulnerabilities(names);
    if (some === 'too-many') throw new Error('too many');
    expect(some.map(({ id }) => id)).toEqual(names);
    all.push(...some);
  }
  return all;
}

/** The answers of all queries of the view. */
async function answersOf(documents: Documents, org: string) {
  const fieldsOf = (vulnerability: Awaited<ReturnType<typeof findVulnerabilityByName>>) => {
    if (vulnerability === null || vulnerability === 'too-many') return vulnerability;
    const { id, aliases, entries: own, matches, findings } = vulnerability;
    const versions = own.map(({ id: name, modified, withdrawn }) => [name, modified, withdrawn]).sort();
    const sorted = [...matches].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      id,
      aliases,
      versions,
      sorted.map(([purl, match]) => [purl, { ...match, entries: [...match.entries].sort() }]),
      findings
        .flatMap(({ finding, scans: from }) => from.map(({ seq, fingerprint }) => [finding.id, seq, fingerprint]))
        .sort(),
    ];
  };
  const all = await listOf(documents, org);
  const byName: unknown[] = [];
  for (const name of ['A', 'B', 'C', 'D', 'CVE-1', 'cve-2'])
    byName.push(fieldsOf(await findVulnerabilityByName(documents, org, name)));
  const worst = await listOf(documents, org, 4);
  const scope = { purls: ['pkg:npm/tea@0.5.0'], reportsOf: () => Promise.resolve(new Set(['trail/x#1'])) };
  const scoped = await listOf(documents, org, 0, scope);
  return { all: all.map(fieldsOf), byName, worst: worst.map(({ id }) => id), scoped: scoped.map(({ id }) => id) };
}

describe('vulnerabilities', () => {
  const engines = temporaryEngines();
  let run = 0;

  it('are the same however consumers interleave, stop and repeat', async () => {
    await fc.assert(
      fc.asyncProperty(
        entries,
        fc.tuple(boms, boms, scans),
        fc.array(fc.nat({ max: 40 }), { minLength: 4, maxLength: 4 }),
        batchSizes,
        fc.scheduler(),
        async (sent, [first, second, scanned], stops, sizes, scheduler) => {
          run += 1;
          const streams = (org: string) => [
            imports(org, sent),
            trail(org, 1, first),
            trail(org, 2, second),
            reports(org, scanned),
          ];
          const [orderly, shuffled] = [`orderly${run}`, `shuffled${run}`];
          for (const stream of streams(orderly)) await follow(engines().documents, stream);
          const documents = scheduleOperations(engines().documents, scheduler);
          const consumers = streams(shuffled).map(async (stream, i) => {
            const stopped = stoppedAfter(documents, stops[i] ?? 0);
            for (const some of cutIntoPieces(stream, sizes)) {
              await follow(stopped, some).catch(() => follow(documents, some));
            }
            // Again, as after a crash.
            await follow(documents, stream);
          });
          await scheduler.waitFor(Promise.all(consumers));
          const plain = JSON.stringify(await answersOf(engines().documents, orderly));
          expect(JSON.stringify(await answersOf(engines().documents, shuffled))).toBe(plain);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are those that the newest report of each name on an artifact has', async () => {
    await fc.assert(
      fc.asyncProperty(scans, async (scanned) => {
        run += 1;
        const org = `scanned${run}`;
        await follow(engines().documents, reports(org, scanned));
        const newest = new Map(scanned.map((scan) => [`${scan.fingerprint} ${scan.name}`, scan]));
        const expected = [...newest.values()].flatMap(({ fingerprint, names }) =>
          (names ?? []).map((name) => `${name} ${fingerprint}`),
        );
        const all = await listOf(engines().documents, org);
        const results = all.flatMap(({ id, findings }) =>
          findings.flatMap((finding) => finding.scans.map(({ fingerprint }) => `${id} ${fingerprint}`)),
        );
        expect(results.sort()).toEqual(expected.sort());
      }),
      { numRuns: 40 },
    );
  });

  it('are those that the newest entries and all components say, by the rules alone', async () => {
    await fc.assert(
      fc.asyncProperty(entries, boms, async (sent, purls) => {
        run += 1;
        const org = `plain${run}`;
        const recorded: RecordedEvent[] = [...trail(org, 1, purls), ...imports(org, sent)];
        await follow(engines().documents, recorded as FollowedRecord[]);
        const newest = new Map<string, number>();
        for (const { id, modified } of sent) newest.set(id, Math.max(newest.get(id) ?? 0, modified));
        // Two versions of one time are told apart by their digests: such samples prove nothing here.
        const times = sent.map(({ id, modified }) => `${id}@${modified}`);
        fc.pre(new Set(times).size === times.length);
        const expected = new Set(
          sent
            .filter(({ id, modified, withdrawn }) => newest.get(id) === modified && !withdrawn)
            .flatMap(({ id, names, fixed }) =>
              [...new Set(purls.flat())]
                .filter((purl) => names.some((name) => purl.startsWith(`${name}@`)))
                .filter((purl) => purl.endsWith('@0.5.0') || fixed === '2.0.0')
                .map((purl) => `${id} pkg:npm/${purl}`),
            ),
        );
        const all = await listOf(engines().documents, org);
        const results = all.flatMap(({ matches }) =>
          [...matches].flatMap(([purl, match]) => match.entries.map((id) => `${id} ${purl}`)),
        );
        expect(new Set(results)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('keep one match of a component, however often an entry comes in a newer version', async () => {
    const { documents } = engines();
    // More than two pages of components, of which the versions of the entry match ever fewer.
    const minor = Array.from({ length: 2_100 }, (_, i) => `tea@1.${i}.0`);
    await follow(documents, trail('many', 1, [minor]));
    const version = (modified: number, fixed: string) =>
      imports('many', [
        { id: 'A', alias: null, modified, withdrawn: false, severity: null, names: ['tea'], fixed } as GeneratedEntry,
      ]);
    const matched = async () => {
      const result = await findVulnerabilityByName(documents, 'many', 'A');
      if (result === null || result === 'too-many') throw new Error('not there');
      const stored: string[] = [];
      const query = { where: { org: 'many' } };
      for await (const page of findPages(documents.collection(matchRows), query, 1_000)) {
        stored.push(...page.map(({ doc }) => doc.version));
      }
      return [result.matches.size, stored.length, new Set(stored).size];
    };
    for (const [modified, fixed, left] of [
      [1, '2.0.0', 2_100],
      [2, '2.0.0', 2_100],
      [3, '1.1500.0', 1_500],
      [4, '1.10.0', 10],
    ] as const) {
      await follow(documents, version(modified, fixed));
      expect(await matched()).toEqual([left, left, 1]);
    }
  });

  it('are too many for one answer beyond the memory that it may take, however few they are', async () => {
    const { documents } = engines();
    const org = 'long';
    const sent = { id: 'A', alias: 'CVE-1', modified: 1, withdrawn: false, severity: 'low' } as const;
    await follow(documents, [
      ...imports(org, [{ ...sent, names: ['tea'], fixed: '2.0.0' }]),
      ...trail(org, 1, [['tea@1.5.0']]),
      ...reports(org, [{ fingerprint: 'one', name: 'scan', names: ['D'] }]),
    ]);
    const readWithin = async (bytes: number) => {
      const [ofAll, ofOne] = [new Budget(bytes), new Budget(bytes)];
      const listed = await ListedVulnerabilities.read(documents, org, 0, null, ofAll);
      const vulnerability = await findVulnerabilityByName(documents, org, 'cve-1', ofOne);
      const rows = listed === 'too-many' ? listed : await listed.vulnerabilities(['CVE-1', 'D'], new Budget(bytes));
      return [
        listed === 'too-many' ? listed : listed.count,
        rows.length,
        vulnerability === 'too-many' ? vulnerability : vulnerability?.id,
      ];
    };
    expect(await readWithin(10_000)).toEqual([2, 2, 'CVE-1']);
    // Less than a name, less than a match, and less than the entry and the finding beside it.
    const tooMany = 'too-many'.length;
    expect(await readWithin(100)).toEqual(['too-many', tooMany, 'too-many']);
    expect(await readWithin(1_000)).toEqual([2, tooMany, 'too-many']);
  });

  it('are not read all to find that too many have one name', async () => {
    const { documents } = engines();
    const entry = { modified: 1, withdrawn: false, severity: null, fixed: '1.0.0' } as const;
    const many = Array.from({ length: 10_001 }, (_, i) => ({ ...entry, names: [], alias: 'CVE-1', id: `E-${i}` }));
    await follow(documents, imports('named', many as never));
    const read = jest.spyOn(documents.collection(entryRows), 'getMany');
    expect(await findVulnerabilityByName(documents, 'named', 'CVE-1')).toBe('too-many');
    expect(read).not.toHaveBeenCalled();
  });

  it('are found with hundreds of advisories that mention them, up to a limit', async () => {
    const { documents } = engines();
    const advisories = (org: string, count: number) => {
      const [sent] = imports(org, [
        { id: 'A', alias: null, modified: 1, withdrawn: false, severity: null, names: ['tea'], fixed: '2.0.0' },
      ] as GeneratedEntry[]);
      const [first] = (sent?.event.data as { vulnerabilities: readonly object[] }).vulnerabilities;
      const vulnerabilities = Array.from({ length: count }, (_, i) => ({
        ...first,
        id: `RHSA-${i}`,
        related: ['CVE-1', 'CVE-2'],
      }));
      const event = { type: 'VulnerabilitiesListed', version: 1, data: { vulnerabilities } };
      return [{ event, meta: sent?.meta }] as unknown as FollowedRecord[];
    };
    await follow(documents, trail('advised', 1, [['tea@1.5.0']]));
    await follow(documents, advisories('advised', 500));
    const vulnerability = await findVulnerabilityByName(documents, 'advised', 'cve-1');
    if (vulnerability === null || vulnerability === 'too-many') throw new Error('not there');
    const { id, entries, linked, matches } = vulnerability;
    expect([id, entries.length, linked.length, matches.size]).toEqual(['CVE-1', 0, 500, 1]);
    expect(await findVulnerabilityByName(documents, 'advised', 'RHSA-7')).toMatchObject({ id: 'RHSA-7', linked: [] });
    await follow(documents, advisories('over-advised', 2_001));
    expect(await findVulnerabilityByName(documents, 'over-advised', 'CVE-1')).toBe('too-many');
  });

  it('are listed page by page beyond 200,000 matches', async () => {
    const { documents } = engines();
    const org = 'listed';
    await follow(documents, trail(org, 1, [Array.from({ length: 1_001 }, (_, i) => `tea@1.${i}.0`)]));
    const sent = { alias: null, modified: 1, withdrawn: false, names: ['tea'], fixed: '2.0.0' } as const;
    const all = Array.from({ length: 200 }, (_, i) => ({ ...sent, id: `E-${i}`, severity: i === 7 ? 'low' : null }));
    await follow(documents, imports(org, all as never));
    const list = await ListedVulnerabilities.read(documents, org, 0, null);
    if (list === 'too-many') throw new Error('too many');
    expect([list.count, list.names(0, 3), list.names(198, 300)]).toEqual([
      200,
      ['E-7', 'E-0', 'E-1'],
      ['E-98', 'E-99'],
    ]);
    const page = await list.vulnerabilities(list.names(100, 115));
    expect(page === 'too-many' ? page : page.map(({ matches }) => matches.size)).toEqual(Array(15).fill(1_001));
  });

  it('of one artifact are read without those of other components and reports', async () => {
    const { documents } = engines();
    const org = 'few';
    await follow(documents, trail(org, 1, [Array.from({ length: 1_200 }, (_, i) => `tea@1.${i}.0`), ['cup@0.5.0']]));
    const entry = (id: string, name: string) =>
      ({
        id,
        alias: null,
        modified: 1,
        withdrawn: false,
        severity: null,
        names: [name],
        fixed: '2.0.0',
      }) as GeneratedEntry;
    await follow(documents, imports(org, [entry('A', 'tea'), entry('B', 'tea'), entry('C', 'cup')]));
    const scanId = { fingerprint: 'one', name: 'scan', names: ['D'] } as const;
    const others = Array.from({ length: 1_200 }, (_, i) => ({ ...scanId, fingerprint: `other${i}`, names: ['E'] }));
    await follow(documents, reports(org, [scanId, ...others] as never));
    let read = 0;
    const counting: Documents = {
      ...documents,
      collection: (shape) => {
        const collection = documents.collection(shape);
        return new Proxy(collection, {
          get: (target, property: keyof typeof collection) => {
            if (property !== 'find') return (target[property] as () => unknown).bind(target);
            return async (query: Parameters<typeof target.find>[0]) => {
              const page = await target.find(query);
              read += page.length;
              return page;
            };
          },
        });
      },
    };
    const scans = await scansOfSubjects(counting, org, ['artifact/one']);
    const own = await vulnerabilitiesOfComponents(counting, org, ['pkg:npm/cup@0.5.0'], scans);
    expect(own === 'too-many' ? own : own.map(({ id, findings }) => [id, findings.length])).toEqual([
      ['D', 1],
      ['C', 0],
    ]);
    // The match, the report, and the part of it.
    expect(read).toBe(3);
    read = 0;
    // The list reads which entries match, the reports and their parts, and no match.
    const list = await ListedVulnerabilities.read(counting, org, 0, null);
    if (list === 'too-many') throw new Error('too many');
    expect([list.names(0, 9), read]).toEqual([['D', 'E', 'A', 'B', 'C'], 3 + 2 * 1_201]);
    read = 0;
    const vulnerabilities = await list.vulnerabilities(['C']);
    expect([vulnerabilities.length, read]).toEqual([1, 1]);
  });
});
