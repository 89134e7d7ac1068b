import type { SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { DomainEvent, EventMeta } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import type { AttestationReported } from '@assurance/contracts/evidence/events';
import type { TrailBegun } from '@assurance/contracts/flows/events';
import type { PublicEvent } from '@assurance/contracts/notifications/events';
import type { PolicyCreated, PolicyRevised } from '@assurance/contracts/policies/events';
import { showsHistory } from '@assurance/environments/domain/reports';
import { sha256 } from '@assurance/kernel';
import { changeKindOf } from './occurrences';

/** Data that the event itself does not contain. */
export interface PublicFacts {
  /** Name of the organization. */
  readonly organization: string;
  /** Name of the trail's flow, or of the policy; empty for other streams. */
  readonly name: string;
  /** Compliance of the previous snapshot; null if nothing judged it or there was none. */
  readonly compliantBefore: boolean | null;
}

/** Types of events that become public events. The data of other types is not read. */
export const PUBLIC_TYPES: ReadonlySet<string> = new Set([
  'SnapshotRecorded',
  'TrailBegun',
  'AttestationReported',
  'PolicyCreated',
  'PolicyRevised',
]);

/** A public event before it has its id. `what` distinguishes it from other events of its type in the same commit. */
interface PublicEventDraft {
  readonly type: string;
  readonly what: string;
  readonly subject: string;
  readonly data: object;
}

/**
 * The public events of an event; `docs/reference/cloudevents` has the schema of each type's data. The same commit always gives the same public events
 * with the same ids. An id depends only on commit, type and subject, so a new type changes no ids of others.
 *
 * @param commit the id of the commit
 */
export function publicEventsOf(
  commit: string,
  { stream, at }: Pick<EventMeta, 'stream' | 'at'>,
  event: DomainEvent,
  facts: PublicFacts,
): PublicEvent[] {
  const key = facts.organization;
  return draftsOf({ stream, at }, event, facts).map(({ type, what, subject, data }) => ({
    id: sha256(`${commit}\n${type}\n${what}`).slice(0, 32),
    source: `/organizations/${encodeURIComponent(key)}`,
    type,
    subject,
    at,
    key,
    data: { organization: key, ...data },
  }));
}

function draftsOf(
  { stream, at }: Pick<EventMeta, 'stream' | 'at'>,
  event: DomainEvent,
  facts: PublicFacts,
): PublicEventDraft[] {
  switch (event.type) {
    case 'SnapshotRecorded':
      if (showsHistory(event as SnapshotRecorded, { at })) return [];
      return snapshot(keyOf(stream), (event as SnapshotRecorded).data, facts.compliantBefore);
    case 'TrailBegun':
      return [trailBegun((event as TrailBegun).data)];
    case 'AttestationReported':
      return [attestation(stream, (event as AttestationReported).data, facts.name)];
    case 'PolicyCreated': {
      const { id, name } = (event as PolicyCreated).data;
      return [policy({ id, name }, 1)];
    }
    case 'PolicyRevised':
      return [policy({ id: keyOf(stream), name: facts.name }, (event as PolicyRevised).data.version)];
    default:
      return [];
  }
}

function snapshot(id: string, data: SnapshotRecorded['data'], was: boolean | null): PublicEventDraft[] {
  const { snapshot: index, environment: name, type, changes } = data;
  const is = data.judged?.compliant ?? null;
  const environment = { id, name, type };
  const subject = `environments/${name}/snapshots/${index}`;
  const commonData = { environment, snapshot_index: index };
  const turns = changes.map((change) => ({ change, turn: changeKindOf(change) }));
  const startedChanges = turns.filter(({ turn }) => turn === 'started');
  const exitedChanges = turns.filter(({ turn }) => turn === 'exited');
  return [
    {
      type: 'assurance.snapshot.recorded.v1',
      what: '',
      subject,
      data: {
        ...commonData,
        compliant: is,
        artifacts_started: startedChanges.length,
        artifacts_exited: exitedChanges.length,
      },
    },
    ...startedChanges.map(({ change }) => ({
      type: 'assurance.artifact.started.v1',
      what: whatOf(change),
      subject,
      data: { ...commonData, ...artifactStarted(change) },
    })),
    ...exitedChanges.map(({ change }) => ({
      type: 'assurance.artifact.exited.v1',
      what: whatOf(change),
      subject,
      data: { ...commonData, ...artifactExited(change) },
    })),
    ...(was === is
      ? []
      : [{ type: 'assurance.compliance.changed.v1', what: '', subject, data: { ...commonData, was, compliant: is } }]),
  ];
}

function whatOf({ fingerprint, name }: SnapshotChange): string {
  return `${fingerprint}\n${name}`;
}

function artifactStarted(change: SnapshotChange): object {
  const { now, compliant, since, flows, kind } = change;
  const [first] = flows;
  return {
    artifact: artifactOf(change),
    instances: now,
    compliant,
    deployed_at: since.deployedAt,
    ...(kind === undefined ? {} : { kind }),
    provenance:
      first === undefined
        ? null
        : {
            flow: first.flow.name,
            trail: first.trail,
            git_commit: first.gitCommit,
            repository: first.repo?.name ?? null,
            lead_time: first.leadTime,
          },
  };
}

function artifactExited(change: SnapshotChange): object {
  const { was, replacedBy } = change;
  return {
    artifact: artifactOf(change),
    instances: was,
    replaced_by: replacedBy === null ? null : artifactOf(replacedBy),
  };
}

/** An artifact in the data of a public event. Its fingerprint is null if the digest is unknown. */
function artifactOf({ fingerprint, name }: Pick<SnapshotChange, 'fingerprint' | 'name'>): object {
  return { fingerprint: fingerprint === '' ? null : fingerprint, name };
}

function trailBegun({ flow, name, commit }: TrailBegun['data']): PublicEventDraft {
  return {
    type: 'assurance.trail.begun.v1',
    what: '',
    subject: `flows/${flow.name}/trails/${name}`,
    data: { flow: { id: flow.id, name: flow.name }, trail: name, git_commit: commit?.sha1 ?? null },
  };
}

function attestation(stream: string, data: AttestationReported['data'], flow: string): PublicEventDraft {
  const key = keyOf(stream);
  const slash = key.indexOf('/');
  const trail = key.slice(slash + 1);
  const { id, name, type, compliant, target, control } = data;
  return {
    type: 'assurance.attestation.reported.v1',
    what: id,
    subject: `flows/${flow}/trails/${trail}`,
    data: {
      flow: { id: key.slice(0, slash), name: flow },
      trail,
      attestation: { id, name, type, compliant, control: control?.identifier ?? null },
      target: {
        kind: target.kind,
        fingerprint: target.kind === 'artifact' ? target.fingerprint : null,
        template_reference_name: target.kind === 'trail' ? null : target.template,
      },
    },
  };
}

function policy({ id, name }: { readonly id: string; readonly name: string }, version: number): PublicEventDraft {
  return {
    type: 'assurance.policy.changed.v1',
    what: '',
    subject: `policies/${name}`,
    data: { policy: { id, name }, version },
  };
}
