import type { Provenance } from '@assurance/contracts/flows/events';
import { batches, distinct } from '@assurance/event-sourcing/projection/batches';
import { remembered } from '@assurance/event-sourcing/projection/remembered';
import { Slices } from '@assurance/kernel';
import { type Documents, foundPages } from '@assurance/storage-ports';
import { joinedAmong } from './joined';
import { type DeploymentRow, firstOf, type Origin, originOf, reportId, type ReportRow, reports } from './rows';

const PIECE = 1_000;

/** All reports of a fingerprint. */
export interface Said {
  readonly first: Origin;
  /** Ids of all repositories from which it came. */
  readonly repos: ReadonlySet<string>;
}

/** By organization and fingerprint: the first report, as this process last read it. */
const firsts = remembered<{ readonly first: Origin | null }>();

/** The reports of each fingerprint that has any. */
export async function readReports(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, Said>> {
  const said = new Map<string, { first: Origin; readonly repos: Set<string> }>();
  for await (const { fingerprint, origin } of allReports(documents, org, fingerprints)) {
    const first = originOf(origin);
    const known = said.get(fingerprint) ?? { first, repos: new Set<string>() };
    said.set(fingerprint, known);
    known.first = firstOf(known.first, first) ?? first;
    if (origin.repo !== null) known.repos.add(origin.repo.id);
  }
  const current = await joinedAmong(
    documents,
    [...said.values()].flatMap(({ repos }) => [...repos]),
  );
  for (const one of said.values()) {
    one.first = current(one.first);
    // Also those that listed it before: their counts change too.
    if (one.first.repo !== null) one.repos.add(one.first.repo.id);
  }
  const memory = firsts(documents.collection<ReportRow>(reports));
  for (const one of fingerprints) {
    const first = said.get(one)?.first ?? null;
    const key = `${org}/${one}`;
    const known = memory.get(key);
    if (known === undefined || !isSameOrigin(known.first, first)) memory.set(key, { first });
  }
  return said;
}

/**
 * The first report of each fingerprint that has any, as this process last read it: an earlier one may have come since. Only what it never read, or
 * forgot, is read.
 */
export async function recallFirsts(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, Pick<Said, 'first'>>> {
  const memory = firsts(documents.collection<ReportRow>(reports));
  const recalled = new Map<string, Pick<Said, 'first'>>();
  const unknown: string[] = [];
  for (const one of fingerprints) {
    const known = memory.get(`${org}/${one}`);
    if (known === undefined) unknown.push(one);
    else if (known.first !== null) recalled.set(one, { first: known.first });
  }
  for (const [one, said] of await readReports(documents, org, unknown)) recalled.set(one, said);
  return recalled;
}

/** Whether two origins are one report, of one repository as far as it is known. */
export function isSameOrigin(a: Origin | null, b: Origin | null): boolean {
  return a?.artifactId === b?.artifactId && a?.repo?.id === b?.repo?.id;
}

/** A row with the whole report that it comes from. */
export type Reported<Row> = Row & { readonly origin: Provenance | null };

/** Finds the reports that rows come from. A row whose report this process lost and takes again has none until then. */
export async function withReports(
  documents: Documents,
  rows: readonly Pick<DeploymentRow, 'fingerprint' | 'origin'>[],
): Promise<<Row extends Pick<DeploymentRow, 'fingerprint' | 'origin'>>(row: Row) => Reported<Row>> {
  const idOf = ({ fingerprint, origin }: (typeof rows)[number]) => origin && reportId(fingerprint, origin);
  const ids = distinct(rows.flatMap((row) => idOf(row) ?? []));
  const found = await documents.collection<ReportRow>(reports).getMany(ids);
  const repos = [...found.values()].flatMap(({ origin }) => origin.repo?.id ?? []);
  const current = await joinedAmong(documents, repos);
  return (row) => {
    const origin = found.get(idOf(row) ?? '')?.origin ?? null;
    return { ...row, origin: origin && current(origin) };
  };
}

async function* allReports(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): AsyncGenerator<ReportRow> {
  const slices = new Slices();
  for (const some of batches(fingerprints)) {
    await slices.pause();
    const where = { org, fingerprint: { in: some } };
    // Reports come and never go.
    for await (const found of foundPages(documents.collection<ReportRow>(reports), { where }, PIECE)) {
      for (const { doc } of found) yield doc;
    }
  }
}
