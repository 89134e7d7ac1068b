import { kindOf } from '@assurance/contracts/events/streams';
import type { Publisher } from '@assurance/event-sourcing/relay/change-source';
import { forgetOldest } from '@assurance/kernel';
import { type Commit, type Engines, setTrace, traceOf } from '@assurance/storage-ports';
import { withAppend } from '../with-append';
import { currentSpan } from './trace-requests';
import type { Attributes, SpanKind, Tracing } from './tracing';

/** How many of this process's newest commits keep their trace in memory, for a feed that does not transport traces. */
const REMEMBERED = 10_000;

/** Engines that make a span for each append in a traced request, and for each of these commits that a consumer processes. */
export function tracedEngines(engines: Engines, tracing: Tracing, system: 'mongodb' | 'sqlite'): Engines {
  const { events, feed } = engines;
  const tracesByCommit = new Map<string, string>();
  const append = async (commit: Commit) => {
    const parent = currentSpan();
    if (parent === null) return events.append(commit);
    const attributes = { 'db.system.name': system, 'db.operation.name': 'append', 'assurance.stream': commit.stream };
    const span = tracing.begin(`append ${kindOf(commit.stream)}`, 'client', parent.traceparent, attributes);
    setTrace(commit, span.traceparent);
    tracesByCommit.set(commit.id, span.traceparent);
    forgetOldest(tracesByCommit, REMEMBERED);
    try {
      const outcome = await events.append(commit);
      span.set({ 'assurance.outcome': outcome });
      span.end();
      return outcome;
    } catch (fault) {
      span.end(fault);
      throw fault;
    }
  };
  return {
    ...engines,
    problems: () => engines.problems(),
    close: () => engines.close(),
    events: withAppend(events, append),
    feed: {
      consume: (group, handle, options) => {
        const attributes = { 'messaging.consumer.group.name': group, 'messaging.operation.type': 'process' };
        const keepTraces = (commits: readonly Commit[]) => {
          for (const commit of commits) if (traceOf(commit) === null) setTrace(commit, tracesByCommit.get(commit.id));
          return traceEach(tracing, commits, `process ${group}`, 'consumer', attributes, () => handle(commits));
        };
        return feed.consume(group, keepTraces, options);
      },
    },
  };
}

/** A publisher that makes a span for each traced commit that it publishes to the feed. */
export function tracedPublisher<T extends Publisher>(publisher: T, tracing: Tracing): T {
  const attributes = { 'messaging.system': 'kafka', 'messaging.operation.type': 'send' };
  const publish = (commits: readonly Commit[]) =>
    traceEach(tracing, commits, 'publish', 'producer', attributes, () => publisher.publish(commits));
  return { ...publisher, publish };
}

/** Does work for several commits together. Each traced commit gets a span of the work in its trace. */
async function traceEach(
  tracing: Tracing,
  commits: readonly Commit[],
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<void>,
): Promise<void> {
  const spans = commits.flatMap((commit) => {
    const parent = traceOf(commit);
    return parent === null
      ? []
      : [tracing.begin(name, kind, parent, { ...attributes, 'assurance.stream': commit.stream })];
  });
  try {
    await work();
    for (const span of spans) span.end();
  } catch (fault) {
    for (const span of spans) span.end(fault);
    throw fault;
  }
}
