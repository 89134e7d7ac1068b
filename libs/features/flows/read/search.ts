import { running } from '@assurance/contracts/environments/documents';
import type { SearchAnswer } from '@assurance/contracts/flows/answers/artifact';
import { plainDigits } from '@assurance/contracts/http/patterns';
import { links } from '@assurance/contracts/http/links';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Refusal } from '@assurance/http';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { siteOf } from '@assurance/http/query-caller';
import { err, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler, type QueryResult } from '@nestjs/cqrs';
import { artifactResult, unknownArtifact } from './artifacts/answer';
import { attestationHistory } from './artifacts/attestation-history';
import { prefixRange, reportsOf } from './artifacts/find';
import { runsOf } from './artifacts/runs';
import { judgeReports } from './artifacts/states';
import { LISTED_MAX, sliceOf, mapConcurrently } from './concurrent-reads';
import { trailsView } from './trails/follow';
import { flowsById, trailsOfCommit } from './trails/list';

/** The most artifacts without provenance that are looked up. */
const RUNNING_MAX = 1_000;
/** The most trails in an answer. */
const TRAILS_MAX = 100;

/** Searches fingerprints and commits by their beginning. */
export class Search extends queryBy<
  { value: string; page: PageRequest | null },
  Result<ViewAnswer<SearchAnswer> & { /** Artifacts on all pages. */ readonly count: number }, Refusal>
>() {}

@QueryHandler(Search)
export class SearchHandler extends ViewHandler implements IQueryHandler<Search> {
  async execute({ caller, value: requested, page }: Search): Promise<QueryResult<Search>> {
    const value = plainDigits(requested);
    const { documents } = this.ports;
    const org = caller.org.id;
    const site = siteOf(this.settings, caller);
    const byFingerprint = await reportsOf(documents, { org }, 'fingerprint', value, LISTED_MAX);
    const byCommit = await reportsOf(documents, { org }, 'first.gitCommit', value, LISTED_MAX);
    const range = prefixRange(value);
    const runs =
      range === null
        ? []
        : await documents.collection(running).find({ where: { org, fingerprint: range }, limit: RUNNING_MAX });
    const reports = [
      ...new Map([...byFingerprint, ...byCommit].map((doc) => [`${doc.fingerprint}@${doc.stream}`, doc])).values(),
    ];
    const reportedFingerprints = new Set(reports.map(({ fingerprint }) => fingerprint));
    const unreportedNames = new Map(
      runs.flatMap(({ doc }) =>
        reportedFingerprints.has(doc.fingerprint) ? [] : [[doc.fingerprint, doc.name] as const],
      ),
    );
    const fingerprints = [...new Set([...byFingerprint.map((doc) => doc.fingerprint), ...unreportedNames.keys()])];
    const { value: trails, behind } = await this.views.read(trailsView, caller, (views) =>
      trailsOfCommit(views, org, value, TRAILS_MAX),
    );
    const commits = [
      ...new Set([...byCommit.map(({ first }) => first.gitCommit), ...trails.flatMap(({ commit }) => commit ?? [])]),
    ];
    if (fingerprints.length + commits.length === 0) return err({ kind: 'search-empty', text: requested });

    const all = [...reports, ...[...unreportedNames].map(([fingerprint, name]) => ({ fingerprint, name }))];
    const shownResults = sliceOf(all, page);
    const withProvenance = await judgeReports(
      documents,
      shownResults.flatMap((report) => ('stream' in report ? [report] : [])),
    );
    const artifacts = [
      ...(await mapConcurrently(withProvenance, async (judgedReport) => {
        const runs = await runsOf(this.ports, org, judgedReport.flow.id, judgedReport.report.fingerprint);
        return artifactResult(site, judgedReport, runs, await attestationHistory(documents, judgedReport.report));
      })),
      ...(await mapConcurrently(
        shownResults.flatMap((report) => ('stream' in report ? [] : [report])),
        async ({ fingerprint, name }) =>
          unknownArtifact(name, fingerprint, await runsOf(this.ports, org, null, fingerprint)),
      )),
    ];
    const flows = await flowsById(
      documents,
      trails.map(({ flow }) => flow),
    );
    const answer = {
      resolved_to: resolutionOf(value, fingerprints, commits),
      artifacts,
      trails: trails.map(({ name, flow: id, commit = '' }) => {
        const flow = flows.get(id)?.name ?? '';
        return { name, flow, git_commit: commit, html_url: links.trailPage(site, flow, name) };
      }),
    };
    return ok({ value: answer, behind, count: all.length });
  }
}

function resolutionOf(
  value: string,
  fingerprints: readonly string[],
  commits: readonly string[],
): SearchAnswer['resolved_to'] {
  const [only, ...others] = [...fingerprints, ...commits];
  const hasBoth = fingerprints.length > 0 && commits.length > 0;
  return {
    type: hasBoth ? 'commit and fingerprint' : commits.length > 0 ? 'commit' : 'fingerprint',
    full_match: only !== undefined && others.length === 0 ? only : value,
    fingerprints: { type: 'fingerprint', count: fingerprints.length, matches: sliceOf(fingerprints, null) },
    commits: { type: 'commit', count: commits.length, matches: sliceOf(commits, null) },
  };
}
