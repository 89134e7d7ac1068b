import type { ArtifactAnswer, ArtifactListItem, LatestCommit } from '@assurance/contracts/flows/answers/artifact';
import { plainDigits } from '@assurance/contracts/http/patterns';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { PORTS, type Ports, SETTINGS, type Settings } from '@assurance/event-sourcing/tokens';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler, ViewHandler, type ViewPage } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { err, mapConcurrently, ok, type Result } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { attestations, subjectsOfReport } from '../domain/attestation';
import type { ProvenanceDocument } from '../domain/provenance';
import { findFlow } from '../lookups/flows';
import { findRepoIdsByName } from '../lookups/repos';
import { artifactAnswer, artifactItem } from './artifacts/answer';
import { attestationHistory } from './artifacts/attestation-history';
import { latestCommitBefore, reportsOf } from './artifacts/find';
import { artifactsView } from './artifacts/follow';
import { listArtifacts, readReports } from './artifacts/list';
import { newestReport } from './artifacts/newest-report';
import { runsOf } from './artifacts/runs';
import { judgeReports } from './artifacts/states';
import { LISTED_MAX, sliceOf, TOGETHER } from './slice-of';

/** Gets the newest report of an artifact in a flow, by the beginning of its fingerprint. */
export class GetArtifact extends queryBy<
  { flow: string; fingerprint: string; trail: string | undefined; attestation: string | undefined },
  Result<ArtifactAnswer, Refusal>
>() {}

/** Gets reports in a flow by the beginning of their commit, newest first: a page, or all. */
export class GetArtifactsOfCommit extends queryBy<
  { flow: string; commit: string; trail: string | undefined; page: PageRequest | null },
  Result<{ readonly artifacts: readonly ArtifactAnswer[]; readonly count: number }, Refusal>
>() {}

/** Finds artifacts in a flow by fingerprint or commit. */
@Injectable()
export class ArtifactsInFlow {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @returns at least one report, newest first, or the reason why there is none */
  async find(
    { org }: Caller,
    { name, trail }: { readonly name: string; readonly trail: string | undefined },
    field: Parameters<typeof reportsOf>[2],
    prefix: string,
    most?: number,
  ): Promise<Result<{ readonly flow: string; readonly reports: readonly ProvenanceDocument[] }, Refusal>> {
    const flow = await findFlow(this.ports, org, name);
    if (!flow.ok) return flow;
    const digits = plainDigits(prefix);
    const results = await reportsOf(this.ports.documents, { flow: flow.value.id }, field, digits, most);
    const reports = results.filter(({ first }) => trail === undefined || first.trail === trail);
    if (reports.length === 0) return err({ kind: 'artifact-unknown', fingerprint: prefix, org: org.name, flow: name });
    return ok({ flow: flow.value.id, reports });
  }

  /** Returns the reports that an attestation is about. */
  async attestedBy(id: string, reports: readonly ProvenanceDocument[]): Promise<readonly ProvenanceDocument[]> {
    const attestation = id.length > 100 ? null : await this.ports.documents.collection(attestations).get(id);
    if (attestation === null) return [];
    return reports.filter((report) => {
      return report.stream === attestation.stream && subjectsOfReport(report).includes(attestation.subject);
    });
  }

  async describeArtifacts(
    caller: Caller,
    flow: string,
    reports: readonly ProvenanceDocument[],
  ): Promise<ArtifactAnswer[]> {
    const { documents } = this.ports;
    return mapConcurrently(await judgeReports(documents, reports), TOGETHER, async (judgedReport) => {
      const runs = await runsOf(this.ports, caller.org.id, flow, judgedReport.report.fingerprint);
      const newest = await newestReport(this.ports.events, judgedReport.report);
      const history = await attestationHistory(documents, judgedReport.report);
      return artifactAnswer(siteOf(this.settings, caller), judgedReport, newest, runs, history);
    });
  }
}

@QueryHandler(GetArtifact)
export class GetArtifactHandler implements IQueryHandler<GetArtifact> {
  constructor(private readonly artifacts: ArtifactsInFlow) {}

  async execute({ caller, flow: name, fingerprint, trail, attestation }: GetArtifact) {
    const result = await this.artifacts.find(caller, { name, trail }, 'fingerprint', fingerprint);
    if (!result.ok) return result;
    const { flow, reports } = result.value;
    const requestedReports =
      attestation === undefined ? reports : await this.artifacts.attestedBy(attestation, reports);
    const [shown] = await this.artifacts.describeArtifacts(caller, flow, requestedReports.slice(0, 1));
    return shown === undefined
      ? err({ kind: 'artifact-unknown', fingerprint, org: caller.org.name, flow: name })
      : ok(shown);
  }
}

@QueryHandler(GetArtifactsOfCommit)
export class GetArtifactsOfCommitHandler implements IQueryHandler<GetArtifactsOfCommit> {
  constructor(private readonly artifacts: ArtifactsInFlow) {}

  async execute({ caller, flow: name, commit, trail, page }: GetArtifactsOfCommit) {
    const result = await this.artifacts.find(caller, { name, trail }, 'first.gitCommit', commit, LISTED_MAX);
    if (!result.ok) return result;
    const { flow, reports } = result.value;
    return ok({
      artifacts: await this.artifacts.describeArtifacts(caller, flow, sliceOf(reports, page)),
      count: reports.length,
    });
  }
}

/** Lists one page of artifacts, newest first. */
export class ListArtifacts extends queryBy<
  { flow: string | undefined; repo: string | undefined; page: PageRequest },
  Result<ViewPage<ArtifactListItem[]>, Refusal>
>() {}

@QueryHandler(ListArtifacts)
export class ListArtifactsHandler extends ViewHandler implements IQueryHandler<ListArtifacts> {
  async execute({ caller, flow, repo, page }: ListArtifacts): Promise<Result<ViewPage<ArtifactListItem[]>, Refusal>> {
    const { org } = caller;
    const result = flow === undefined ? null : await findFlow(this.ports, org, flow);
    if (result?.ok === false) return result;
    const repos = repo === undefined ? null : await findRepoIdsByName(this.ports.documents, org, repo);
    if (repo !== undefined && repos?.length === 0) return err({ kind: 'repo-unknown', name: repo });
    const filter = { org: org.id, flow: result?.value.id ?? null, repos };
    const { value: ends, behind } = await this.views.read(artifactsView, caller, (documents) =>
      listArtifacts(documents, filter, page),
    );
    const { documents } = this.ports;
    const reports = await judgeReports(documents, await readReports(documents, ends.rows));
    const site = siteOf(this.settings, caller);
    return ok({ value: reports.map((report) => artifactItem(site, report)), behind, ends });
  }
}

/** Gets the commit of the previous artifact. */
export class GetLatestCommit extends queryBy<
  { flow: string; fingerprint: string; branch: string | undefined },
  Result<LatestCommit, Refusal>
>() {}

@QueryHandler(GetLatestCommit)
export class GetLatestCommitHandler extends ReadingHandler implements IQueryHandler<GetLatestCommit> {
  async execute({ caller, flow, fingerprint, branch }: GetLatestCommit): Promise<Result<LatestCommit, Refusal>> {
    const result = await findFlow(this.ports, caller.org, flow);
    if (!result.ok) return result;
    const commit = await latestCommitBefore(this.ports.documents, result.value.id, fingerprint, branch);
    return ok({ latest_commit: commit });
  }
}
