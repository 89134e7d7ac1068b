import type { Schemas } from '../api/client';
import { to } from '../app/paths';

export type SearchResult = Schemas['FoundThings']['results'][number];

/** The most characters of a search text in the API. */
export const TEXT_MAX = 100;

/** The page of a result. */
export function pageOf({ kind, name, id, flow, fingerprint }: SearchResult): string {
  switch (kind) {
    case 'environment':
      return to.environment(name);
    case 'flow':
      return to.flow(name);
    case 'repository':
      return to.repository(name, id ?? undefined);
    case 'policy':
      return to.policy(name);
    case 'control':
      return to.control(id ?? name);
    case 'trail':
      return to.trail(flow ?? '', name);
    case 'artifact':
      return flow === null ? to.unknownArtifact(fingerprint ?? '') : to.artifact(flow, fingerprint ?? '');
  }
}

/** Says where the text was found, unless the name shows it, and in which flow or environment the result is. */
export function wordsOfPlace({ found_in, text, flow, environment }: SearchResult): string {
  const within = flow ?? environment;
  const place = found_in === 'name' ? null : `${found_in}: ${text}`;
  return [within === null ? null : `in ${within}`, place].filter((part) => part !== null).join(', ');
}
