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
  readonly org: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Integer milliseconds. */
  readonly createdAt: number;
  readonly lastModifiedAt: number;
}

export const repo: Aggregate<Repo, RepoEvent> = {
  kind: 'repo',
  states: {
    name: 'repos',
    indexes: [index('by_name', 'org', 'name', 'id'), index('by_external_id', 'org', 'externalId', 'name', 'id')],
  },
  schemaVersion: 1,
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
    }
  },
};
