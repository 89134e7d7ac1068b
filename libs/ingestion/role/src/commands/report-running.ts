import type { EnvironmentType, Provenance } from '@assurance/contracts-events';
import {
  collect,
  decideReport,
  differenceOf,
  type ReportFacts,
  type ReportItem,
  type Reported,
} from '@assurance/ingestion-domain';
import { no, nothing, ok, refused, type Result } from '@assurance/kernel';
import { ran, type RanDocument, runsDigest } from '@assurance/model-environment';
import { type ProvenanceDocument, provenances } from '@assurance/model-flow';
import type { Documents } from '@assurance/storage-ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Activity } from '../activity';
import { by, type Caller } from '../caller';
import { Environments, type Present } from '../environments';
import { Register } from '../register';
import type { CommandRefusal } from '../refusals';
import { Streams } from '../streams';

/** The most trails in which a fingerprint's provenance is kept with a snapshot, first report first. */
const PROVENANCE_MAX = 1000;
/** How many starts are looked through for the one that ran most recently. */
const RAN_MAX = 50;
/** How many look-ups a report makes at once. */
const LOOKUPS = 64;

/** Reports all that an environment runs (specification 4.3). Answers with the new snapshot's index, null when nothing changed. */
export class ReportRunning extends Command<Result<number | null, CommandRefusal>> {
  constructor(
    readonly caller: Caller,
    readonly environment: string,
    readonly type: EnvironmentType,
    readonly items: readonly ReportItem[],
  ) {
    super();
  }
}

@CommandHandler(ReportRunning)
export class ReportRunningHandler implements ICommandHandler<ReportRunning> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly environments: Environments,
    private readonly activity: Activity,
  ) {}

  async execute({
    caller,
    environment: name,
    type,
    items,
  }: ReportRunning): Promise<Result<number | null, CommandRefusal>> {
    const unknown = { kind: 'environment-unknown', org: caller.org.name, name } as const;
    const id = await this.register.find(caller.org.id, 'environment', name);
    if (id === null) return no(unknown);
    const artifacts = collect(items);
    const ended = await this.environments.run<CommandRefusal>(id, by(caller), async (present, at) => {
      if (present === null) return refused(unknown);
      const { environment, newest } = present;
      if (environment.archived) return refused({ kind: 'environment-archived', name });
      const compared = environment.includeScaling ? 'runsCounted' : 'runs';
      if (newest.index?.[compared] === runsDigest(artifacts, compared) && environment.type === type) return nothing;
      return decideReport(present, { type, artifacts }, await this.facts(caller.org.id, present, artifacts, at));
    });
    if (ended.kind === 'refused') return no(ended.refusal);
    await this.activity.reported(id, this.streams.sources.now(), ended.kind === 'committed');
    return ok(ended.kind === 'committed' ? ended.state.snapshot : null);
  }

  /** What other streams say about the artifacts that changed: read after the environment's own stream. */
  private async facts(org: string, present: Present, reported: readonly Reported[], at: number): Promise<ReportFacts> {
    const { environment } = present;
    const { started, exited, scaled } = differenceOf(present.running, reported, environment.includeScaling);
    const { documents } = this.streams.engines;
    const changed = [
      ...started.map(({ fingerprint }) => ({ fingerprint, since: environment.snapshot + 1 })),
      ...[...exited, ...scaled.map(({ before }) => before)].map(({ fingerprint, since }) => ({
        fingerprint,
        since: since.snapshot,
      })),
    ];
    const known = await lookUp(
      new Set(changed.map(({ fingerprint }) => fingerprint).filter((fingerprint) => fingerprint !== '')),
      (fingerprint) => provenanceOf(documents, org, fingerprint),
    );
    const places = new Map<string, { flow: string; template: string; before: number }>();
    for (const { fingerprint, since } of changed) {
      for (const { flow, template } of known.get(fingerprint) ?? []) {
        if (template !== null)
          places.set(`${flow.id}\n${template}\n${since}`, { flow: flow.id, template, before: since });
      }
    }
    const before = await lookUp(new Set(places.keys()), (key) => {
      const place = places.get(key);
      return place === undefined ? Promise.resolve([]) : ranBefore(documents, environment.id, place);
    });
    return {
      at,
      provenanceOf: (fingerprint) => known.get(fingerprint) ?? [],
      ranBefore: (flow, template, snapshot) => before.get(`${flow}\n${template}\n${snapshot}`) ?? [],
      recorded: await this.environments.recorded(present),
    };
  }
}

async function provenanceOf(documents: Documents, org: string, fingerprint: string): Promise<Provenance[]> {
  const found = await documents.collection<ProvenanceDocument>(provenances).find({
    where: { org, fingerprint },
    order: [
      ['first.reportedAt', 'asc'],
      ['first.artifactId', 'asc'],
    ],
    limit: PROVENANCE_MAX,
  });
  return found.map(({ doc }) => doc.first);
}

async function ranBefore(
  documents: Documents,
  environment: string,
  { flow, template, before }: { flow: string; template: string; before: number },
): Promise<RanDocument[]> {
  const found = await documents.collection<RanDocument>(ran).find({
    where: { environment, flow, template, since: { lte: before - 1 } },
    order: [
      ['since', 'desc'],
      ['fingerprint', 'asc'],
    ],
    limit: RAN_MAX,
  });
  return found.map(({ doc }) => doc);
}

/** Looks up each key, a bounded number at once. */
async function lookUp<T>(keys: ReadonlySet<string>, read: (key: string) => Promise<T>): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  const all = [...keys];
  for (let i = 0; i < all.length; i += LOOKUPS) {
    await Promise.all(all.slice(i, i + LOOKUPS).map(async (key) => found.set(key, await read(key))));
  }
  return found;
}
