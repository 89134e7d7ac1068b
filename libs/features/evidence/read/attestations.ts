import { actorsOf } from '@assurance/access/lookups/actors';
import { streams } from '@assurance/contracts/events/streams';
import type { AttestationAnswer, FlowAttestationsAnswer } from '@assurance/contracts/evidence/answers/attestation';
import { Evaluator } from '@assurance/evaluator';
import { plainDigits } from '@assurance/contracts/http/patterns';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { type PageRequest, totalPages } from '@assurance/event-sourcing/projection/listing';
import { PORTS, type Ports, SETTINGS, type Settings } from '@assurance/event-sourcing/tokens';
import type { AttestationDocument } from '@assurance/flows/domain/attestation';
import { findFlow, findTrail } from '@assurance/flows/lookups/flows';
import { reportsOf } from '@assurance/flows/read/artifacts/find';
import { flowsById } from '@assurance/flows/read/trails/list';
import { type Refusal, RefusalError } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { err, ok, type Result } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryHandler, type QueryResult } from '@nestjs/cqrs';
import { droppedBy, mayBeGone } from '../domain/dropped';
import type { DropInfo, Retention } from '../domain/retention-state';
import { findLostAttachment } from '../lookups/find-lost-attachment';
import { isPayloadGone } from '../lookups/is-payload-gone';
import { attestationAnswer } from './attestations/answer';
import { type AttestationFilter, attestationsOfFlow, isIndexed, listAttestations } from './attestations/filter';
import {
  attestationById,
  attestationsOfArtifact,
  attestationsOfCommits,
  attestationsOfTrail,
} from './attestations/find';
import { recordedAttestation } from './attestations/read';
import { type Evidence, evidenceFiles } from './files';
import { retentionOf } from './retention-answer';

/** Selects one attestation by its id, or a page of them. */
export interface AttestationSelection {
  readonly id?: string;
  /** Names of flows. An empty list selects all. */
  readonly flows: readonly string[];
  /** An empty list selects all. */
  readonly types: readonly string[];
  readonly name?: string;
  /** A regular expression. */
  readonly nameRegex?: string;
  readonly compliant: boolean | null;
  readonly time: TimeSpan;
}

/** Epoch seconds, both inclusive; null: unbounded. */
export interface TimeSpan {
  readonly from: number | null;
  readonly to: number | null;
}

/** A page of attestations. `ends` is null if one attestation was selected by id. */
interface MatchingAttestations {
  readonly answers: AttestationAnswer[];
  readonly ends: PageEnds | null;
}

/** Lists attestations of an organization. */
export class ListAttestations extends queryBy<
  { selection: AttestationSelection; page: PageRequest },
  Result<MatchingAttestations, Refusal>
>() {}

/** Lists a page of the attestations of a flow, with payloads. */
export class ListFlowAttestations extends queryBy<
  { flow: string; time: TimeSpan; page: PageRequest },
  Result<FlowAttestationsAnswer, Refusal>
>() {}

/** Lists attestations of commits, by commit. */
export class ListCommitAttestations extends queryBy<
  { commits: readonly string[]; flow: string | undefined; name: string | undefined; type: string | undefined },
  Result<Readonly<Record<string, readonly AttestationAnswer[]>>, Refusal>
>() {}

/** Finds attestations by name: in a trail, or on an artifact in a flow. */
export class FindAttestations extends queryBy<
  { flow: string; within: { readonly trail: string } | { readonly fingerprint: string }; name: string },
  Result<AttestationAnswer[], Refusal>
>() {}

/** Gets the files of an attestation. */
export class GetEvidence extends queryBy<{ flow: string; trail: string; id: string }, Result<Evidence, Refusal>>() {}

/** An answer adds no more payloads after this many bytes. A single payload is limited only by the size of a request. */
const PAYLOADS_MAX = 33_554_432;

/** Returns the rules by which retention dropped parts of an attestation. Of what a hold found dropped, the parts that are gone count. */
async function droppedOf(
  { events, blobs }: Pick<Ports, 'events' | 'blobs'>,
  state: Retention | null,
  attestation: AttestationDocument,
): Promise<DropInfo[]> {
  const isGone = {
    attachments: async () => {
      const { reported } = await recordedAttestation(events, attestation, 'listed');
      return (await findLostAttachment(blobs, attestation.org, reported.attachments)) !== null;
    },
    payloads: () => isPayloadGone(events, attestation),
  };
  const results: DropInfo[] = [];
  for (const what of ['attachments', 'payloads'] as const) {
    const rule = mayBeGone(state, what, attestation);
    if (rule !== null && (droppedBy(state, what, attestation) !== null || (await isGone[what]()))) results.push(rule);
  }
  return results;
}

/** Builds answers from documents. */
@Injectable()
export class AttestationAnswers {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async of(
    caller: Caller,
    attestations: readonly AttestationDocument[],
    detail: 'listed' | 'whole',
  ): Promise<AttestationAnswer[]> {
    let room = detail === 'whole' ? PAYLOADS_MAX : 0;
    const { events, documents } = this.ports;
    const flowIds = attestations.map(({ flow }) => flow);
    const flows = await flowsById(documents, flowIds);
    const nameOf = actorsOf(this.ports.documents);
    const retention = await retentionOf(documents, caller.org.id);
    const answers: AttestationAnswer[] = [];
    for (const attestation of attestations) {
      const dropInfos = await droppedOf(this.ports, retention, attestation);
      const isWhole = room > 0 && dropInfos.every(({ what }) => what !== 'payloads');
      const attestationRecord = await recordedAttestation(events, attestation, isWhole ? 'whole' : 'listed');
      if (attestationRecord.payload !== null) room -= attestationRecord.size;
      const flow = flows.get(attestation.flow)?.name ?? attestation.flow;
      const name = await nameOf(attestationRecord.actor);
      answers.push(attestationAnswer(siteOf(this.settings, caller), attestationRecord, flow, name, dropInfos));
    }
    return answers;
  }
}

@QueryHandler(ListAttestations)
export class ListAttestationsHandler extends ReadingHandler implements IQueryHandler<ListAttestations> {
  constructor(
    private readonly answers: AttestationAnswers,
    private readonly evaluator: Evaluator,
  ) {
    super();
  }

  async execute({ caller, selection, page }: ListAttestations): Promise<Result<MatchingAttestations, Refusal>> {
    const { documents } = this.ports;
    const org = caller.org.id;
    if (selection.id !== undefined) {
      const attestation = await attestationById(documents, org, selection.id);
      return ok({
        answers: await this.answers.of(caller, attestation === null ? [] : [attestation], 'whole'),
        ends: null,
      });
    }
    const flows: string[] = [];
    for (const name of selection.flows) {
      const flow = await findFlow(this.ports, caller.org, name);
      if (!flow.ok) return flow;
      flows.push(flow.value.id);
    }
    const { nameRegex: pattern } = selection;
    const filter: AttestationFilter = {
      org,
      flows,
      types: selection.types,
      name: selection.name ?? null,
      compliant: selection.compliant,
      ...millisecondsOf(selection.time),
      nameRule: pattern === undefined ? null : (names) => this.matchNames(org, pattern, names),
    };
    if (page.cursor?.side === 'before' && !isIndexed(filter)) {
      return err({ kind: 'invalid', errors: { before: 'Input should not be given with these filters' } });
    }
    // Check the pattern even if there is no name to compare with it.
    if (pattern !== undefined) await this.matchNames(org, pattern, []);
    const { documents: rows, ...ends } = await listAttestations(documents, filter, page);
    const attestations = rows.map(({ doc }) => doc);
    return ok({ answers: await this.answers.of(caller, attestations, 'listed'), ends });
  }

  /** @throws RefusalError if the pattern is not a regular expression, or takes too long */
  private async matchNames(org: string, pattern: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    const matched = await this.evaluator.matchNames(org, pattern, names);
    if (matched.ok) return new Set(names.filter((_, i) => matched.value[i]));
    throw new RefusalError({ kind: 'invalid', errors: { name_regex: matched.refusal } });
  }
}

@QueryHandler(ListFlowAttestations)
export class ListFlowAttestationsHandler extends ReadingHandler implements IQueryHandler<ListFlowAttestations> {
  constructor(private readonly answers: AttestationAnswers) {
    super();
  }

  async execute({ caller, flow: name, time, page }: ListFlowAttestations): Promise<QueryResult<ListFlowAttestations>> {
    const flow = await findFlow(this.ports, caller.org, name);
    if (!flow.ok) return flow;
    const { documents } = this.ports;
    const { documents: rows, count } = await attestationsOfFlow(documents, flow.value.id, millisecondsOf(time), page);
    const listed = rows.map(({ doc }) => doc);
    const data = await this.answers.of(caller, listed, 'whole');
    const page_count = totalPages(count, page.perPage);
    return ok({ data, pagination: { total: count, page: page.page, per_page: page.perPage, page_count } });
  }
}

@QueryHandler(ListCommitAttestations)
export class ListCommitAttestationsHandler extends ReadingHandler implements IQueryHandler<ListCommitAttestations> {
  constructor(private readonly answers: AttestationAnswers) {
    super();
  }

  async execute({ caller, commits, flow: name, ...query }: ListCommitAttestations) {
    const flow = name === undefined ? null : await findFlow(this.ports, caller.org, name);
    if (flow?.ok === false) return flow;
    const results = await attestationsOfCommits(this.ports.documents, {
      org: caller.org.id,
      commits,
      flow: flow?.value.id ?? null,
      name: query.name ?? null,
      type: query.type ?? null,
    });
    const all = [...results.values()].flat();
    const answers = await this.answers.of(caller, all, 'whole');
    const byId = new Map(answers.map((answer) => [answer.attestation_id, answer]));
    const lists = [...results].map(([commit, docs]) => [commit, docs.flatMap(({ id }) => byId.get(id) ?? [])] as const);
    return ok(Object.fromEntries(lists));
  }
}

function millisecondsOf({ from, to }: TimeSpan) {
  return { from: from === null ? null : from * 1_000, to: to === null ? null : to * 1_000 };
}

@QueryHandler(FindAttestations)
export class FindAttestationsHandler extends ReadingHandler implements IQueryHandler<FindAttestations> {
  constructor(private readonly answers: AttestationAnswers) {
    super();
  }

  async execute({ caller, flow: name, within, name: attested }: FindAttestations) {
    const flow = await findFlow(this.ports, caller.org, name);
    if (!flow.ok) return flow;
    const { documents } = this.ports;
    if ('fingerprint' in within) {
      const digits = plainDigits(within.fingerprint);
      const [newest] = await reportsOf(documents, { flow: flow.value.id }, 'fingerprint', digits);
      const attestations =
        newest === undefined
          ? []
          : await attestationsOfArtifact(documents, flow.value.id, newest.fingerprint, attested);
      return ok(await this.answers.of(caller, attestations, 'whole'));
    }
    const trail = await findTrail(this.ports, caller.org, flow.value, within.trail);
    if (!trail.ok) return trail;
    const attestations = await attestationsOfTrail(documents, flow.value.id, within.trail, attested);
    return ok(await this.answers.of(caller, attestations, 'whole'));
  }
}

@QueryHandler(GetEvidence)
export class GetEvidenceHandler extends ReadingHandler implements IQueryHandler<GetEvidence> {
  async execute({ caller, flow: flowName, trail, id }: GetEvidence): Promise<Result<Evidence, Refusal>> {
    const flow = await findFlow(this.ports, caller.org, flowName);
    if (!flow.ok) return flow;
    const result = await findTrail(this.ports, caller.org, flow.value, trail);
    if (!result.ok) return result;
    const { events, documents, blobs } = this.ports;
    const attestation = await attestationById(documents, caller.org.id, id);
    if (attestation?.stream !== streams.trail(flow.value.id, trail)) return err({ kind: 'attestation-unknown', id });
    const { reported } = await recordedAttestation(events, attestation, 'listed');
    if (reported.attachments.length === 0) return err({ kind: 'evidence-none', id });
    const retention = await retentionOf(documents, caller.org.id);
    const rule = droppedBy(retention, 'attachments', attestation);
    const lostAttachment = rule === null ? await findLostAttachment(blobs, caller.org.id, reported.attachments) : null;
    const dropInfo = lostAttachment === null ? rule : mayBeGone(retention, 'attachments', attestation);
    if (dropInfo !== null) return err({ kind: 'evidence-dropped', id, days: dropInfo.days, seq: dropInfo.seq });
    if (lostAttachment !== null)
      return err({ kind: 'evidence-lost', id, filename: lostAttachment.filename, sha256: lostAttachment.sha256 });
    return ok({ at: attestation.at, files: evidenceFiles(blobs, caller.org.id, reported.attachments) });
  }
}
