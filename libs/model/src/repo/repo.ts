import {
  type Aggregate,
  index,
  type RepoEvent,
  type RepoFacts,
  tagsAfter,
  UnexpectedEvent,
} from '@assurance/contracts-events';

export interface Repo extends RepoFacts {
  readonly id: string;
  /** That of `joinedOf` once it was joined to another: it is in no list and in no number of the organization then. */
  readonly org: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Integer milliseconds. */
  readonly createdAt: number;
  readonly lastModifiedAt: number;
  /** The id of the older repository that it was joined to; absent: it stands for itself. */
  readonly joined?: string;
  /** Ids of younger repositories that were joined to it; absent: none. */
  readonly absorbed?: readonly string[];
}

export const repo: Aggregate<Repo, RepoEvent> = {
  kind: 'repo',
  states: {
    name: 'repos',
    indexes: [index('by_name', 'org', 'name', 'id'), index('by_external_id', 'org', 'externalId', 'name', 'id')],
  },
  schemaVersion: 2,
  evolve(state, event, meta) {
    switch (event.type) {
      case 'RepoRecorded':
        return { ...event.data, org: meta.org, tags: {}, createdAt: meta.at, lastModifiedAt: meta.at };
      case 'RepoUpdated':
        if (state === null) throw new UnexpectedEvent(event, meta);
        return { ...state, ...event.data, lastModifiedAt: meta.at };
      case 'RepoTagged':
        if (state === null) throw new UnexpectedEvent(event, meta);
        return { ...state, tags: tagsAfter(state.tags, event.data), lastModifiedAt: meta.at };
      case 'RepoAbsorbed':
        if (state === null) throw new UnexpectedEvent(event, meta);
        return { ...state, absorbed: [...(state.absorbed ?? []), ...event.data.ids], lastModifiedAt: meta.at };
      case 'RepoJoined':
        if (state === null) throw new UnexpectedEvent(event, meta);
        return { ...state, org: joinedOf(meta.org), joined: event.data.into, lastModifiedAt: meta.at };
    }
  },
};

/** What repositories of an organization that were joined to others have for their organization. */
export function joinedOf(org: string): string {
  return `joined:${org}`;
}
