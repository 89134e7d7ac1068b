import { artifactsWithComponents, locateComponents, SEARCH_MAX } from '@assurance/components/read/components/find';
import type { ComponentLocation } from '@assurance/components/read/components/parts';
import { componentDigest, componentRows } from '@assurance/components/read/components/rows';
import type { Run } from '@assurance/components/read/components/runs';
import { readPurl } from '@assurance/evidence/domain/purl';
import { addTo, compareTexts, Slices } from '@assurance/kernel';
import { type Documents, pagesAmong } from '@assurance/storage-ports';

const PAGE = 1_000;
/** For how many packages components are looked up together. */
const TOGETHER = 100;

/**
 * Finds the artifacts with an SBOM that lists some components. It returns these components for each artifact, or `too-many` beyond the limit of
 * component queries.
 *
 * @param documents of the components view
 * @param purls canonical, with versions
 */
export async function artifactsWithPurls(
  documents: Documents,
  org: string,
  purls: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly ComponentLocation[]> | 'too-many'> {
  const packages = new Set([...purls].flatMap((purl) => readPurl(purl)?.package ?? []));
  const components = new Map<string, string>();
  const slices = new Slices();
  let count = 0;
  const pages = pagesAmong(documents.collection(componentRows), { org }, 'package', packages, PAGE, TOGETHER);
  for await (const page of pages) {
    if ((count += page.length) > SEARCH_MAX.matches) return 'too-many';
    for (const { doc } of page) {
      await slices.pause();
      if (doc.purl !== null && purls.has(doc.purl)) components.set(componentDigest(doc), doc.purl);
    }
  }
  const matchingComponents = await locateComponents(documents, org, components);
  return matchingComponents === 'too-many'
    ? matchingComponents
    : artifactsWithComponents(documents, org, matchingComponents);
}

/** The snapshots between which an environment was exposed. */
export interface Exposure {
  /** Id of the environment. */
  readonly environment: string;
  readonly isExposed: boolean;
  readonly first: number;
  /** The snapshot in which the last artifact was gone; null while one runs, and if no snapshot shows it. */
  readonly goneSnapshot: number | null;
}

/** Returns the environments in which any of some artifacts ran. */
export function exposuresOf(
  fingerprints: Iterable<string>,
  runs: ReadonlyMap<string, readonly Run[]>,
): readonly Exposure[] {
  const exposures = new Map<string, Exposure>();
  for (const fingerprint of fingerprints) {
    for (const { environment, from, until, isRunning } of runs.get(fingerprint) ?? []) {
      const previousExposure = exposures.get(environment);
      const isExposed = isRunning || previousExposure?.isExposed === true;
      const end = isExposed ? null : Math.max(until ?? 0, previousExposure?.goneSnapshot ?? 0) || null;
      exposures.set(environment, {
        environment,
        isExposed,
        first: Math.min(from, previousExposure?.first ?? from),
        goneSnapshot: end,
      });
    }
  }
  return [...exposures.values()];
}

/** A period in which an environment was exposed without a break. */
export type ExposedPeriod = Omit<Exposure, 'isExposed'>;

/**
 * Returns the periods in which environments were exposed, newest first. Runs that overlap or directly follow each other form one period.
 *
 * @param fingerprints of artifacts that have a vulnerability
 */
export function exposedPeriods(
  fingerprints: Iterable<string>,
  runs: ReadonlyMap<string, readonly Run[]>,
): readonly ExposedPeriod[] {
  const byEnvironment = new Map<string, Run[]>();
  for (const fingerprint of fingerprints) {
    for (const run of runs.get(fingerprint) ?? []) addTo(byEnvironment, run.environment, run);
  }
  const periods: ExposedPeriod[] = [];
  for (const [environment, own] of byEnvironment) {
    own.sort((a, b) => a.from - b.from);
    let period: { first: number; end: number } | null = null;
    const close = ({ first, end }: { readonly first: number; readonly end: number }) =>
      periods.push({ environment, first, goneSnapshot: end === Infinity || end === first ? null : end });
    for (const { from, until, isRunning } of own) {
      // If no snapshot shows the end of a run, count only its first snapshot.
      const end = isRunning ? Infinity : (until ?? from);
      if (period !== null && from <= period.end) period.end = Math.max(period.end, end);
      else {
        if (period !== null) close(period);
        period = { first: from, end };
      }
    }
    if (period !== null) close(period);
  }
  return periods.sort((a, b) => b.first - a.first || compareTexts(a.environment, b.environment));
}
