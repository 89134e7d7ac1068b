import type { EnvironmentTagged } from '@assurance/contracts/environments/events';
import { kindOf } from '@assurance/contracts/events/streams';
import type { FlowTagged, RepoTagged } from '@assurance/contracts/flows/events';
import type { ControlTagged } from '@assurance/contracts/policies/events';
import { batches } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import type { Views } from '@assurance/event-sourcing/projection/views';
import type { Caller } from '@assurance/http/query-caller';
import { type Collection, getAll, type Write } from '@assurance/storage-ports';
import { type Matcher, tagText } from '../lookups/matcher';
import { itemsWith, type WordRow, wordRows, wordsCollection, wordsOfTag } from './words';

export type TaggedEvent = ControlTagged | EnvironmentTagged | FlowTagged | RepoTagged;

/** Words of tags. An item is `<stream>#<key>`. Each kind of stream is searched alone. */
export const tagWords = wordsCollection('view_tag_words');

/** The view of the tags of controls, flows and repositories. The view of environment events has those of environments, so that reports cost no more. */
export const tagsView: View = {
  name: 'tags',
  version: 1,
  collections: [tagWords],
  kinds: new Set(['control', 'flow', 'repo']),
  types: new Set<TaggedEvent['type']>(['ControlTagged', 'FlowTagged', 'RepoTagged']),
  take: (documents, recorded) =>
    followTags(documents.collection(tagWords), recorded as readonly RecordedEvent<TaggedEvent>[]),
};

/** Writes the words of tags. A document has the seq of the event that set its tag, so only a later event of the stream changes or removes it. */
export async function followTags(
  words: Pick<Collection<WordRow>, 'write'>,
  recordedEvents: readonly RecordedEvent<TaggedEvent>[],
): Promise<void> {
  const writes = recordedEvents.flatMap(({ event: { data }, meta: { org, stream, seq } }) => {
    const removals = data.removed.map((key): Write<WordRow> => ({ kind: 'remove', id: `${stream}#${key}#0`, seq }));
    const set = Object.entries(data.set).flatMap(([key, value]) => [
      ...wordRows(scopeOf(kindOf(stream), org), `${stream}#${key}`, wordsOfTag(tagText(key, value))),
    ]);
    return [...removals, ...set.map(([id, doc]): Write<WordRow> => ({ kind: 'forward', id, seq, doc }))];
  });
  for (const group of batches(writes)) await words.write(group);
}

/** The most documents that are read for each word. More than are shown, because archived items are among them. */
const READ_MAX = 250;

/** Finds items by words of their tags. */
export class TagSearch {
  /** Seconds, as in `ViewAnswer`. */
  behind = 0;

  constructor(
    private readonly views: Views,
    private readonly caller: Caller,
    private readonly matcher: Matcher,
  ) {}

  /**
   * Returns the states of a kind in which the text begins a word of a tag, by name.
   *
   * @param view the view that has the collection
   */
  async in<State extends { readonly org: string; readonly name: string; readonly archived?: boolean }>(
    kind: string,
    states: Collection<State>,
    view = tagsView,
    words = tagWords,
  ): Promise<readonly State[]> {
    const { id: org } = this.caller.org;
    const { value, behind } = await this.views.read(view, this.caller, (documents) =>
      itemsWith(documents, words, scopeOf(kind, org), this.matcher.text, READ_MAX),
    );
    this.behind = Math.max(this.behind, behind);
    const streams = new Set(value.map((item) => item.slice(0, item.indexOf('#'))));
    const all = await getAll(states, [...streams]);
    return [...all.values()]
      .filter((state) => state.org === org && state.archived !== true)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

function scopeOf(kind: string, org: string): string {
  return `${kind}/${org}`;
}
