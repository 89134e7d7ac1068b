import { type Aggregate, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import { tagsAfter } from '@assurance/contracts/events/naming';
import { Repo, repoStates } from '@assurance/contracts/flows/documents';
import type { RepoEvent } from '@assurance/contracts/flows/events';
export const repo: Aggregate<Repo, RepoEvent> = {
  kind: 'repo',
  states: repoStates,
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

/** Returns the value of `org` for repositories that were joined to others. So lists of the organization leave them out. */
export function joinedOf(org: string): string {
  return `joined:${org}`;
}
