import type { Retained, RetentionEvent } from '@assurance/contracts/audit/events';
import { keyOf, kindOf, streams } from '@assurance/contracts/events/streams';
import type { Flow } from '@assurance/contracts/flows/documents';
import type { FlowEvent, FlowTemplate } from '@assurance/contracts/flows/events';
import type { Policy } from '@assurance/contracts/policies/documents';
import type { PolicyEvent } from '@assurance/contracts/policies/events';
import { metaOf } from '@assurance/event-sourcing/sealing/read';
import { mayBeGone } from '@assurance/evidence/domain/dropped';
import { retention } from '@assurance/evidence/domain/retention';
import type { Retention } from '@assurance/evidence/domain/retention-state';
import { flow } from '@assurance/flows/domain/flow';
import { trail } from '@assurance/flows/domain/trail';
import { sha256 } from '@assurance/kernel';
import { policy, versionBy } from '@assurance/policies/domain/policy';
import type { Commit, StoredEvent } from '@assurance/storage-ports';
import { placeText, type PolicyVersion, templateFile } from '../contents';

const KINDS: readonly string[] = [policy.kind, flow.kind, trail.kind];
/** Types of events of policies and flows that a package may contain without data: texts that did not apply, and data that is not shown. */
const LEFT_OUT: readonly string[] = [
  'FlowUpdated',
  'PolicyDescribed',
  'PolicyExceptionsEnded',
  'PolicyRevised',
] satisfies (FlowEvent['type'] | PolicyEvent['type'])[];
/** The used fields of data that is stored outside its commit and may be large, and a pattern that finds such fields in its canonical JSON. */
const NEEDED = [
  'id',
  'name',
  'description',
  'visibility',
  'template',
  'templateId',
  'set',
  'removed',
  'version',
  'comment',
  'yaml',
];
const HAS_NEEDED = /"(?:set|template|templateId|yaml)":/;

/** The state of policies, flows and templates according to the commits. Pass it the commits of each stream in order, from the first. */
export class ClaimedState {
  /** Versions of policies and digests of their texts, by the position of the commit. */
  readonly versions = new Map<string, { readonly version: PolicyVersion; readonly digest: string }>();
  /** Ids of templates and digests of their texts, by the position of the commit. */
  readonly templates = new Map<string, { readonly id: string; readonly digest: string }>();
  /** Ids of templates, by the stream of the trail that last used them. */
  readonly inForce = new Map<string, string>();
  /** The state after the last commit, by stream. */
  readonly flows = new Map<string, Flow>();
  /** By stream. */
  private readonly retentions = new Map<string, Retention | null>();
  private readonly policies = new Map<string, Policy>();
  private readonly dataByDigest = new Map<string, unknown>();

  /** Stores data that is outside of its commit. The commit comes later. */
  hold(text: string): void {
    if (!HAS_NEEDED.test(text)) return;
    try {
      const data = JSON.parse(text) as Readonly<Record<string, unknown>>;
      this.dataByDigest.set(sha256(text), Object.fromEntries(NEEDED.map((key) => [key, data[key]])));
    } catch {
      // The text is not recorded data. An event that refers to it then counts as an event without data.
    }
  }

  /** @returns the fault of an event; null if there is none */
  take(commit: Commit, { type, version, digest, data: text }: StoredEvent): string | null {
    const kind = kindOf(commit.stream);
    if (kind === retention.kind) return this.takeRetention(commit, { type, version, data: text });
    if (!KINDS.includes(kind)) return null;
    try {
      const data = text === undefined ? this.dataByDigest.get(digest) : (JSON.parse(text) as unknown);
      if (data !== undefined) this.takeEvent(kind, commit, { type, version, data });
      else if (kind !== trail.kind && !LEFT_OUT.includes(type)) return `it does not tell the data of ${type}`;
      return null;
    } catch {
      // The content is untrusted and may have any shape.
      return `${type} cannot be read, or follows from nothing that is told`;
    }
  }

  /** Whether the retention of its organization may have removed something, as the events in the package prove. */
  isDropped(what: Retained, { org, stream, at }: Pick<Commit, 'org' | 'stream' | 'at'>): boolean {
    const [flow = '', ...name] = keyOf(stream).split('/');
    const state = this.retentions.get(streams.retention(org)) ?? null;
    return mayBeGone(state, what, { at, flow, trail: name.join('/') }) !== null;
  }

  /** Ignores a retention unless its first commit is there, because all holds must be known. */
  private takeRetention(commit: Commit, { type, version, data }: { type: string; version: number; data?: string }) {
    const { stream, seq } = commit;
    if (seq === 1 && !this.retentions.has(stream)) this.retentions.set(stream, null);
    if (data === undefined || !this.retentions.has(stream)) return null;
    try {
      const event = { type, version, data: JSON.parse(data) as unknown } as RetentionEvent;
      this.retentions.set(stream, retention.evolve(this.retentions.get(stream) ?? null, event, metaOf(commit)));
      return null;
    } catch {
      return `${type} cannot be read, or follows from nothing that is told`;
    }
  }

  private takeEvent(kind: string, commit: Commit, event: { type: string; version: number; data: unknown }): void {
    const { stream } = commit;
    if (kind === flow.kind)
      this.flows.set(stream, flow.evolve(this.flows.get(stream) ?? null, event as FlowEvent, metaOf(commit)));
    if (kind === policy.kind) this.takePolicy(commit, event as PolicyEvent);
    else this.takeTemplate(kind, commit, event.data as TemplateData);
  }

  private takePolicy(commit: Commit, event: PolicyEvent): void {
    const meta = metaOf(commit);
    const state = policy.evolve(this.policies.get(commit.stream) ?? null, event, meta);
    this.policies.set(commit.stream, state);
    const newVersion = versionBy(state, event, meta);
    if (newVersion === null) return;
    const { yaml, rules: _, ...version } = newVersion;
    this.versions.set(placeText(commit), { version, digest: sha256(yaml) });
  }

  private takeTemplate(kind: string, commit: Commit, { template, templateId }: TemplateData): void {
    if (templateId === undefined) return;
    if (kind === trail.kind) this.inForce.set(commit.stream, templateId);
    if (template !== undefined)
      this.templates.set(placeText(commit), { id: templateId, digest: sha256(templateFile(template).text) });
  }
}

/** The template in events of flows and trails. */
interface TemplateData {
  readonly template?: FlowTemplate;
  readonly templateId?: string;
}
