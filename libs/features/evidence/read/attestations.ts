import { actorsOf } from '@assurance/access/lookups/actors';
import { streams } from '@assurance/contracts/events/streams';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { PageEnds } from '@assurance/event-sourcing/projection/beside';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { PORTS, type Ports, SETTINGS, type Settings } from '@assurance/event-sourcing/tokens';
import type { AttestationDocument } from '@assurance/flows/domain/attestation';
import { findFlow, findTrail } from '@assurance/flows/lookups/flows';
import { flowsById } from '@assurance/flows/read/trails/list';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { no, ok, type Result } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Dropped, droppedBy } from '../domain/dropped';
import type { Retention } from '../domain/retention';
import { attestationAnswer } from './attestations/answer';
import { attestationById, attestedInTrail, attestedOfArtifact, listAttestations } from './attestations/find';
import { recordedAttestation } from './attestations/read';
import { type Evidence, evidenceFiles } from './files';
import { retentionOf } from './retention-answer';

/** Which attestations: one by its id, else a page. */
export interface AttestationsWanted {
  readonly id?: string;
  /** Name of a flow. */
  readonly flow?: string;
  readonly type?: string;
}

/** A page of attestations; `ends` is null for the one of an id. */
interface AttestationsFound {
  readonly answers: AttestationAnswer[];
  readonly ends: PageEnds | null;
}

/** Attestations of an organization. */
export class ListAttestations extends queryBy<
  { wanted: AttestationsWanted; page: PageRequest },
  Result<AttestationsFound, Refusal>
>() {}

/** Attestations of a name: in a trail, or on an artifact in a flow. */
export class FindAttestations extends queryBy<
  { flow: string; within: { readonly trail: string } | { readonly fingerprint: string }; name: string },
  Result<AttestationAnswer[], Refusal>
>() {}

/** The files that came with an attestation. */
export class GetEvidence extends queryBy<{ flow: string; trail: string; id: string }, Result<Evidence, Refusal>>() {}

/** The most bytes of payload that an answer begins to carry on: one payload has no bound but that of a request. */
const PAYLOADS_MAX = 33_554_432;

/** The parts of an attestation that retention dropped. */
function droppedOf(state: Retention | null, known: AttestationDocument): Dropped[] {
  return (['attachments', 'payloads'] as const).flatMap((what) => droppedBy(state, what, known) ?? []);
}

/** Turns documents into answers. */
@Injectable()
export class AttestationAnswers {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async of(
    caller: Caller,
    found: readonly AttestationDocument[],
    wanted: 'listed' | 'whole',
  ): Promise<AttestationAnswer[]> {
    let room = wanted === 'whole' ? PAYLOADS_MAX : 0;
    const { events, documents } = this.ports;
    const flows = await flowsById(
      documents,
      found.map(({ flow }) => flow),
    );
    const nameOf = actorsOf(this.ports.documents);
    const retained = await retentionOf(documents, caller.org.id);
    const answers: AttestationAnswer[] = [];
    for (const known of found) {
      const dropped = droppedOf(retained, known);
      const isWhole = room > 0 && dropped.every(({ what }) => what !== 'payloads');
      const recorded = await recordedAttestation(events, known, isWhole ? 'whole' : 'listed');
      if (recorded.payload !== null) room -= recorded.size;
      const flow = flows.get(known.flow)?.name ?? known.flow;
      const name = await nameOf(recorded.actor);
      answers.push(attestationAnswer(siteOf(this.settings, caller), recorded, flow, name, dropped));
    }
    return answers;
  }
}

@QueryHandler(ListAttestations)
export class ListAttestationsHandler implements IQueryHandler<ListAttestations> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly answers: AttestationAnswers,
  ) {}

  async execute({ caller, wanted, page }: ListAttestations): Promise<Result<AttestationsFound, Refusal>> {
    const { documents } = this.ports;
    const org = caller.org.id;
    if (wanted.id !== undefined) {
      const one = await attestationById(documents, org, wanted.id);
      return ok({ answers: await this.answers.of(caller, one === null ? [] : [one], 'whole'), ends: null });
    }
    const flow = wanted.flow === undefined ? null : await findFlow(this.ports, caller.org, wanted.flow);
    if (flow?.ok === false) return flow;
    const filter = { org, flow: flow?.value.id ?? null, type: wanted.type ?? null };
    const { found, ...ends } = await listAttestations(documents, filter, page);
    const listed = found.map(({ doc }) => doc);
    return ok({ answers: await this.answers.of(caller, listed, 'listed'), ends });
  }
}

@QueryHandler(FindAttestations)
export class FindAttestationsHandler implements IQueryHandler<FindAttestations> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly answers: AttestationAnswers,
  ) {}

  async execute({ caller, flow: name, within, name: attested }: FindAttestations) {
    const flow = await findFlow(this.ports, caller.org, name);
    if (!flow.ok) return flow;
    const { documents } = this.ports;
    if ('fingerprint' in within) {
      const found = await attestedOfArtifact(documents, flow.value.id, within.fingerprint, attested);
      return ok(await this.answers.of(caller, found, 'whole'));
    }
    const trail = await findTrail(this.ports, caller.org, flow.value, within.trail);
    if (!trail.ok) return trail;
    const found = await attestedInTrail(documents, flow.value.id, within.trail, attested);
    return ok(await this.answers.of(caller, found, 'whole'));
  }
}

@QueryHandler(GetEvidence)
export class GetEvidenceHandler extends ReadingHandler implements IQueryHandler<GetEvidence> {
  async execute({ caller, flow: flowName, trail, id }: GetEvidence): Promise<Result<Evidence, Refusal>> {
    const flow = await findFlow(this.ports, caller.org, flowName);
    if (!flow.ok) return flow;
    const known = await findTrail(this.ports, caller.org, flow.value, trail);
    if (!known.ok) return known;
    const { events, documents, blobs } = this.ports;
    const found = await attestationById(documents, caller.org.id, id);
    if (found?.stream !== streams.trail(flow.value.id, trail)) return no({ kind: 'attestation-unknown', id });
    const { reported } = await recordedAttestation(events, found, 'listed');
    if (reported.attachments.length === 0) return no({ kind: 'evidence-none', id });
    const dropped = droppedBy(await retentionOf(documents, caller.org.id), 'attachments', found);
    if (dropped !== null) return no({ kind: 'evidence-dropped', id, days: dropped.days, seq: dropped.seq });
    return ok({ at: found.at, files: evidenceFiles(blobs, caller.org.id, reported.attachments) });
  }
}
