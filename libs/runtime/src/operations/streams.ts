import type { FeedStrategy } from '@assurance/event-sourcing/feed/feed-strategy';
import type { ParkedStream } from '@assurance/event-sourcing/feed/parked-streams';
import { type Operation, OperationRefused } from '@assurance/event-sourcing/operation';

type Groups = readonly Pick<FeedStrategy, 'group' | 'listParked' | 'replay'>[];

/** Lists the streams that consumers could not process. */
export function parkedOperation(groups: Groups): Operation {
  return {
    name: 'parked',
    usage: '',
    summary: 'lists the streams that a consumer could not process, with the error',
    run: async (args) => {
      if (args.length > 0) throw new OperationRefused('parked takes no arguments.');
      const parkedStreams = (await Promise.all(groups.map((group) => group.listParked()))).flat();
      const summary = parkedStreams.length === 0 ? 'No stream is parked.' : parkedStreams.map(sentence).join('\n');
      return { ok: true, summary, details: { parked: parkedStreams } };
    },
  };
}

/** Processes the parked streams of a consumer group again, in order. */
export function replayOperation(groups: Groups): Operation {
  const names = groups.map(({ group }) => group);
  return {
    name: 'replay',
    usage: names.join(' | '),
    summary: 'processes the parked streams of a consumer again, in order',
    run: async ([name, ...more]) => {
      const group = groups.find((candidate) => candidate.group === name);
      if (group === undefined || more.length > 0)
        throw new OperationRefused(`replay needs the name of one consumer group: ${names.join(' or ')}.`);
      const { streams, failedStreams } = await group.replay();
      const doneText = `${streams - failedStreams.length} of ${streams} parked streams of ${group.group} were replayed`;
      const summary =
        failedStreams.length === 0 ? `${doneText}.` : `${doneText}; these failed again: ${failedStreams.join(', ')}.`;
      return {
        ok: failedStreams.length === 0,
        summary,
        details: { group: group.group, streams, failed: failedStreams },
      };
    },
  };
}

function sentence({ group, stream, from, error, at }: ParkedStream): string {
  return `${group}: ${stream} from commit ${from} on, since ${new Date(at).toISOString()}: ${error}`;
}
