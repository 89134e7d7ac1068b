import { streams } from '@assurance/contracts/events/streams';
import type { Flow } from '@assurance/contracts/flows/documents';
import type { FlowEvent, FlowSettings, FlowTemplate } from '@assurance/contracts/flows/events';
import { BrokenRecord, commitAt, eventsOf, historyOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import { flow as flows } from '@assurance/flows/domain/flow';
import type { EventStore } from '@assurance/storage-ports';
import { jsonText } from '../../package/manifest';
import { FLOW, flowContent, type RecordingCommit, templateFile } from '../../package/contents';
import { type PackageFile, textFile } from '../../package/write';
import { type CommitRange, commitRangeTo, type EventFilter, type Records } from './chain';

/** A flow, read from its stream. */
export interface ProvedFlow {
  readonly flow: Flow;
  /** The whole stream. */
  readonly range: CommitRange;
  /** Seq of the commit that set a template, by the id of the template. */
  readonly templates: ReadonlyMap<string, number>;
  /** Ids of templates, by the seq of a commit that changed only the template. */
  readonly templateCommits: ReadonlyMap<number, string>;
}

/** A template with the commit that set it. */
export interface SetTemplate {
  readonly id: string;
  readonly template: FlowTemplate;
  readonly recorded: RecordingCommit;
}

/**
 * Reads a flow's stream to its end. Call it after the streams that refer to its templates were read, so that it contains these templates.
 *
 * @throws BrokenRecord
 */
export async function readFlow(engines: Records, id: string): Promise<ProvedFlow> {
  const { events } = engines;
  const newest = await events.newest(streams.flow(id));
  if (newest === null) throw new BrokenRecord(`the flow ${id} is gone`);
  const range = await commitRangeTo(engines, 1, newest);
  const templates = new Map<string, number>();
  const templateCommits = new Map<number, string>();
  let flow: Flow | null = null;
  for await (const { commit, event } of historyOf<FlowEvent>(events, range.stream, 1, range.to.seq)) {
    flow = flows.evolve(flow, event, metaOf(commit));
    const { template, templateId, ...others } = settingsOf(event);
    if (template === undefined || templateId === undefined) continue;
    templates.set(templateId, commit.seq);
    if (Object.keys(others).length === 0) templateCommits.set(commit.seq, templateId);
  }
  if (flow === null) throw new BrokenRecord(`the flow ${id} tells of nothing`);
  return { flow, range, templates, templateCommits };
}

/**
 * A template of the flow.
 *
 * @throws BrokenRecord
 */
export async function templateOf(
  events: EventStore,
  { range: { stream }, templates }: ProvedFlow,
  id: string,
): Promise<SetTemplate> {
  const seq = templates.get(id);
  const commit = seq === undefined ? null : await commitAt(events, stream, seq);
  const set = commit === null ? [] : ((await eventsOf(events, commit)) as FlowEvent[]);
  const template = set.map(settingsOf).find(({ templateId }) => templateId === id)?.template;
  if (seq === undefined || template === undefined) throw new BrokenRecord(`the template ${id} of ${stream} is gone`);
  return { id, template, recorded: { stream, seq } };
}

function settingsOf(event: FlowEvent): Partial<FlowSettings> {
  return event.type === 'FlowCreated' || event.type === 'FlowUpdated' ? event.data : {};
}

/** Makes a filter that leaves out events that only set another template. */
export function aboutFlow({ templateCommits }: ProvedFlow, templateId: string): EventFilter {
  return ({ type }, { seq }) => type !== 'FlowUpdated' || (templateCommits.get(seq) ?? templateId) === templateId;
}

/** The current flow, and the template that applies to the subject of the package. */
export function flowFiles({ flow, range }: ProvedFlow, { id, template, recorded }: SetTemplate): PackageFile[] {
  const { path, text } = templateFile(template);
  const content = flowContent(flow, { stream: range.stream, seq: range.to.seq });
  return [textFile(FLOW, jsonText({ ...content, template: { id, path, recorded } })), textFile(path, text)];
}
