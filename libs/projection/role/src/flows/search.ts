import type { SearchAnswer } from '@assurance/contracts-http';
import { PORTS, type Ports, type Refusal, SETTINGS, type Settings } from '@assurance/http';
import { no, ok, type Result } from '@assurance/kernel';
import { running } from '@assurance/model';
import {
  attestedOf,
  beginning,
  foundArtifact,
  judged,
  reportsOf,
  runsOf,
  unknownArtifact,
} from '@assurance/projection-views';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { siteOf } from '../caller';
import { queryBy } from '../queries';

/** The most artifacts, and the most distinct values, that an answer holds. */
const FOUND_MAX = 50;

/** Everything whose fingerprint or commit begins so. */
export class Search extends queryBy<{ value: string }, Result<SearchAnswer, Refusal>>() {}

@QueryHandler(Search)
export class SearchHandler implements IQueryHandler<Search> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ caller, value }: Search): Promise<Result<SearchAnswer, Refusal>> {
    const { documents } = this.ports;
    const org = caller.org.id;
    const site = siteOf(this.settings, caller);
    const byFingerprint = await reportsOf(documents, { org }, 'fingerprint', value);
    const byCommit = await reportsOf(documents, { org }, 'first.gitCommit', value);
    const range = beginning(value);
    const runs =
      range === null
        ? []
        : await documents.collection(running).find({ where: { org, fingerprint: range }, limit: 1_000 });
    const reports = [
      ...new Map([...byFingerprint, ...byCommit].map((doc) => [`${doc.fingerprint}@${doc.stream}`, doc])).values(),
    ];
    const known = new Set(reports.map(({ fingerprint }) => fingerprint));
    const strange = new Map(
      runs.flatMap(({ doc }) => (known.has(doc.fingerprint) ? [] : [[doc.fingerprint, doc.name] as const])),
    );
    const fingerprints = [...new Set([...byFingerprint.map((doc) => doc.fingerprint), ...strange.keys()])];
    const commits = [...new Set(byCommit.map(({ first }) => first.gitCommit))];
    if (fingerprints.length + commits.length === 0) return no({ kind: 'search-empty', asked: value });

    const artifacts: SearchAnswer['artifacts'][number][] = [];
    for (const one of await judged(documents, reports.slice(0, FOUND_MAX))) {
      const { fingerprint } = one.report;
      const runs = await runsOf(this.ports, org, one.flow.id, fingerprint);
      artifacts.push(foundArtifact(site, one, runs, await attestedOf(documents, one.report)));
    }
    for (const [fingerprint, name] of strange) {
      if (artifacts.length === FOUND_MAX) break;
      artifacts.push(unknownArtifact(name, fingerprint, await runsOf(this.ports, org, null, fingerprint)));
    }
    return ok({ resolved_to: resolved(value, fingerprints, commits), artifacts });
  }
}

function resolved(value: string, fingerprints: string[], commits: string[]): SearchAnswer['resolved_to'] {
  const [only, ...others] = [...fingerprints, ...commits];
  const both = fingerprints.length > 0 && commits.length > 0;
  return {
    type: both ? 'commit and fingerprint' : commits.length > 0 ? 'commit' : 'fingerprint',
    full_match: only !== undefined && others.length === 0 ? only : value,
    fingerprints: { type: 'fingerprint', count: fingerprints.length, matches: fingerprints.slice(0, FOUND_MAX) },
    commits: { type: 'commit', count: commits.length, matches: commits.slice(0, FOUND_MAX) },
  };
}
