import type { CommitInfo, RepoRef } from '@assurance/contracts/events/commit';
import type { EventMeta } from '@assurance/contracts/events/event';
import { streams } from '@assurance/contracts/events/streams';
import type {
  AttestationPayloadKept,
  AttestationReported,
  ComponentsListed,
  FindingsListed,
} from '@assurance/contracts/evidence/events';
import type { EventCommit, EventRepo, TrailEventAnswer } from '@assurance/contracts/flows/answers/trail';
import type { Repo } from '@assurance/contracts/flows/documents';
import type { TrailBegun, TrailEvent, TrailUpdated } from '@assurance/contracts/flows/events';
import { commitsOf, eventsOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import type { Commit, Engines } from '@assurance/storage-ports';
import { type Trail, TRAIL_FIELDS, type TrailField } from '../../domain/trail';
import { attestedCommitAnswer } from '../../lookups/commit-answer';
import { reposById } from '../../lookups/repos';
import { repoMore } from '../repos/answer';
import { runningEvents } from './running';

/** The most commits of a trail in an answer, in addition to the first one. */
const SHOWN_MAX = 1_000;

/** The events in an answer. Payloads and lists of components and findings are not read here. */
type ShownTrailEvent = Exclude<TrailEvent, AttestationPayloadKept | ComponentsListed | FindingsListed>;

const NAMES: Readonly<Record<TrailField, string>> = {
  description: 'description',
  commit: 'git_commit_info',
  userData: 'user_data',
  externalUrls: 'external_urls',
  originUrl: 'origin_url',
  repo: 'repo_info',
  template: 'template',
};

/** Returns the events of a trail, oldest first, from its first commit and its newest commits. */
export async function trailEvents(
  { events, documents }: Pick<Engines, 'events' | 'documents'>,
  trail: Trail,
): Promise<TrailEventAnswer[]> {
  const { flow, name } = trail;
  const stream = streams.trail(flow.id, name);
  const newest = await events.newest(stream);
  const commits: Commit[] = [];
  for await (const commit of commitsOf(events, stream, 1, 1)) commits.push(commit);
  const from = Math.max(2, (newest?.seq ?? 0) - SHOWN_MAX + 1);
  for await (const commit of commitsOf(events, stream, from)) commits.push(commit);
  const recorded: { readonly event: ShownTrailEvent; readonly meta: EventMeta }[] = [];
  for (const commit of commits) {
    for (const event of (await eventsOf(events, commit, isShownEvent)) as ShownTrailEvent[])
      recorded.push({ event, meta: metaOf(commit) });
  }
  const ids = [...new Set(recorded.flatMap(({ event }) => repoOf(event)?.id ?? []))].slice(0, SHOWN_MAX);
  const repos = await reposById(documents, ids);
  const artifacts = recorded.flatMap(({ event }) =>
    event.type === 'ArtifactReported' ? [event.data.fingerprint] : [],
  );
  const ran = await runningEvents({ events, documents }, trail, [...new Set(artifacts)].slice(-SHOWN_MAX));
  const own = recorded.map(({ event, meta }) => eventAnswer(event, meta, flow.id, name, repos));
  return [...own, ...ran].sort((a, b) => a.timestamp - b.timestamp);
}

const UNTOLD: ReadonlySet<string> = new Set<Exclude<TrailEvent, ShownTrailEvent>['type']>([
  'AttestationPayloadKept',
  'ComponentsListed',
  'FindingsListed',
]);

function isShownEvent(type: string): boolean {
  return !UNTOLD.has(type);
}

function repoOf(event: ShownTrailEvent): RepoRef | null {
  return event.type === 'ArtifactReported' ? event.data.provenance.repo : (event.data.repo ?? null);
}

function commitOf(event: ShownTrailEvent): CommitInfo | null {
  return event.type === 'ArtifactReported' ? event.data.provenance.commit : (event.data.commit ?? null);
}

function eventAnswer(
  event: ShownTrailEvent,
  meta: EventMeta,
  flow: string,
  trail: string,
  repos: ReadonlyMap<string, Repo>,
): TrailEventAnswer {
  const ref = repoOf(event);
  const commit = commitOf(event);
  const common = {
    timestamp: meta.at / 1000,
    org_id: meta.org,
    flow_id: flow,
    trail_id: `${flow}/${trail}`,
    git_commit_info: commit === null ? null : commitAnswer(commit),
    repo_info: ref === null ? null : repoAnswer(ref, meta.org, repos.get(ref.id)),
  };
  switch (event.type) {
    case 'TrailBegun': {
      const begun = { org_id: meta.org, flow_id: flow, name: trail, creating_user_id: meta.actor };
      const data = { ...begun, ...dataAnswer(event.data), template_id: event.data.templateId };
      return { type: 'trail_reported', ...common, setting_user_id: meta.actor, trail_data_json: data };
    }
    case 'TrailUpdated': {
      const { templateId } = event.data;
      const data = { ...dataAnswer(event.data), ...(templateId === undefined ? {} : { template_id: templateId }) };
      const changes = TRAIL_FIELDS.filter((field) => event.data[field] !== undefined).map((field) => NAMES[field]);
      return { type: 'trail_updated', ...common, setting_user_id: meta.actor, trail_data_json: data, changes };
    }
    case 'ArtifactReported': {
      const { fingerprint, provenance } = event.data;
      return {
        type: 'artifact_creation_reported',
        ...common,
        artifact_name: provenance.filename,
        artifact_fingerprint: fingerprint,
        artifact_id: provenance.artifactId,
        template_reference_name: provenance.template ?? '',
        git_commit: provenance.gitCommit,
      };
    }
    case 'AttestationReported':
      return { ...common, ...attestationAnswer(event) };
  }
}

/** Returns the attestation and its subject. `template_reference_name` is the name of the attestation. */
function attestationAnswer({ data }: AttestationReported) {
  const { id, name, type, target, compliant } = data;
  const attested = {
    attestation_id: id,
    attestation_type: type,
    template_reference_name: name,
    is_compliant: compliant,
  };
  switch (target.kind) {
    case 'trail':
      return { type: 'trail_attestation_reported', ...attested } as const;
    case 'awaited':
      return {
        type: 'trail_attestation_for_artifact_reported',
        ...attested,
        target_artifact: target.template,
      } as const;
    case 'artifact':
      return {
        type: 'artifact_attestation_reported',
        ...attested,
        artifact_name: target.filename,
        artifact_fingerprint: target.fingerprint,
        artifact_id: target.artifactId,
        target_artifact: target.template ?? '',
      } as const;
  }
}

/** Returns the settings of an event. User data is a text that contains JSON. */
function dataAnswer(data: (TrailBegun | TrailUpdated)['data']): Record<string, unknown> {
  const { description, commit, userData, externalUrls, originUrl, repo: ref } = data;
  return {
    ...(description === undefined ? {} : { description }),
    ...(commit == null ? {} : { git_commit_info: commitAnswer(commit) }),
    ...(userData === undefined ? {} : { user_data: JSON.stringify(userData) }),
    ...(externalUrls === undefined ? {} : { external_urls: externalUrls }),
    ...(originUrl === undefined ? {} : { origin_url: originUrl }),
    ...(ref === undefined ? {} : { repo_ids: [ref.id] }),
  };
}

/** Returns a commit with all fields present. */
function commitAnswer(commit: CommitInfo): EventCommit {
  const unknown = { author_username: null, parents: null, verified: null, signature_state: null };
  return { ...unknown, ...attestedCommitAnswer(commit) };
}

/** Returns a repository with the name, address and provider of the event, and its current details. */
function repoAnswer({ id, name, url, provider }: RepoRef, org: string, state: Repo | undefined): EventRepo {
  return {
    inner_id: state?.id ?? id,
    org_id: org,
    repo_id: state?.externalId ?? null,
    name,
    url,
    provider,
    description: state?.description ?? null,
    ...repoMore(state),
    created_at: (state?.createdAt ?? 0) / 1000,
    last_modified_at: (state?.lastModifiedAt ?? 0) / 1000,
  };
}
