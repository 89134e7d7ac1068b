import type { HeaderName } from '../headers';
import { component, flag, integer, list, map, nullable, number, type Shape, text, type TypeOf, url } from '../shape';

/** Values for examples. */
export const MADE_UP = {
  host: 'https://assurance.example.com',
  sha: '4f'.repeat(20),
  fingerprint: 'c0ffee00'.repeat(8),
  /** Where a component ran. */
  places: [
    {
      environment: 'production',
      first_snapshot: 3,
      first_seen: 1700000889,
      running: false,
      last_snapshot: 9,
      last_seen: 1700086400,
    },
  ],
};

/** The answer of every write that has no other body: the JSON string `OK`. */
const okAnswer = text('The text `OK`.');

/** One answer of a route, by its status. @param headers headers that it may have in addition to the headers of all answers */
export const gives = (
  description: string,
  shape: Shape<unknown>,
  example: unknown,
  status = 200,
  ...headers: readonly HeaderName[]
) => ({
  [status]: { description, shape, example, headers },
});

/** An answer `OK` with its meaning, by its status. */
export const ok = (description: string, status = 200, ...headers: readonly HeaderName[]) =>
  gives(description, okAnswer, 'OK', status, ...headers);

/** Specification 2.10: `errors` is left out unless it is filled. */
export const errorBody = component(
  'Error',
  { message: text('The reason.') },
  { errors: map(text(), 'One text for each bad field, by the path of the field.') },
);
export type ErrorBody = TypeOf<typeof errorBody>;

/** The signature of a commit, if the sender knew it. */
const signature = {
  verified: flag('Whether the provider found its signature valid.'),
  signature_state: text('What the provider says of its signature.'),
};

/** Specification 2.2. `author_username` and `parents` are left out if unknown. */
export const commitInfo = component(
  'CommitInfo',
  {
    sha1: text(),
    message: nullable(text()),
    author: nullable(text()),
    branch: nullable(text()),
    timestamp: nullable(number('Epoch seconds.')),
    url: nullable(text()),
  },
  { author_username: text(), parents: list(text()), ...signature },
);
export type CommitInfoAnswer = TypeOf<typeof commitInfo>;

/** A commit for clients that do not check for missing fields. Unknown texts are empty, and an unknown time is 0. */
export const commitFields = {
  sha1: text(),
  message: text('Empty if unknown.'),
  author: text('Empty if unknown.'),
  branch: text('Empty if unknown.'),
  timestamp: number('Epoch seconds; 0 if unknown.'),
  url: nullable(text()),
};
export const attestedCommit = component('AttestedCommit', commitFields, {
  author_username: text(),
  parents: list(text()),
  ...signature,
});
export type AttestedCommitAnswer = TypeOf<typeof attestedCommit>;

/** The page of a list, and the total counts. */
export const pageFields = { page: integer(), per_page: integer(), total_pages: integer(), total_count: integer() };
export const pageExample = { page: 1, per_page: 15, total_pages: 1, total_count: 1 };

/** `_links` of a page: `next` and `prev` are left out at the ends. */
export const pageLinks = component(
  'PageLinks',
  { self: url(), first: url(), last: url() },
  { prev: url(), next: url() },
);
export type PageLinks = TypeOf<typeof pageLinks>;

/** The page of a list that each answer computes anew, with links. */
export const numberedPageFields = { ...pageFields, _links: pageLinks };

/** The links of a list of one page. @param query further parameters */
export function pageLinksExample(path: string, query = ''): PageLinks {
  const address = `${MADE_UP.host}/api/v2${path}?page=1&per_page=15${query}`;
  return { self: address, first: address, last: address };
}

export const tags = map(text(), 'Tags by key; `{}` when there are none.');

/** A tag that a resource of the organization has. */
export const tagChoice = component('TagChoice', { key: text(), value: text() });
export type TagChoice = TypeOf<typeof tagChoice>;
export const spaceId = text('Id of its space; `root` for the root.');
