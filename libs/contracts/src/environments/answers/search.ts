import { component, flag, list, nullable, object, type TypeOf, oneOf, text } from '../../http/shape';

/** The kinds of results, in the order in which they are listed. */
const RESULT_KINDS = [
  'environment',
  'flow',
  'repository',
  'policy',
  'control',
  'artifact',
  'trail',
  'exception',
  'vulnerability',
  'component',
  'member',
  'service_account',
  'key',
] as const;

/** The fields in which the text can be found. */
const MATCHED_FIELDS = [
  'name',
  'description',
  'identifier',
  'url',
  'tag',
  'fingerprint',
  'commit',
  'commit message',
  'author',
] as const;

const result = object({
  kind: oneOf(RESULT_KINDS),
  name: text(),
  found_in: oneOf(MATCHED_FIELDS, 'The first of these that has the text.'),
  text: text('What has the text: its first 200 characters.'),
  id: nullable(
    text(
      'Of a repository; the identifier of a control; the package URL of a component; the service account of a key, null for a key of the caller.',
    ),
  ),
  flow: nullable(text('Name of the flow of a trail or of an artifact.')),
  environment: nullable(text('Where an artifact without provenance runs, or is allowed by an exception.')),
  fingerprint: nullable(text('Of an artifact, or of the artifact that an exception allows.')),
});
export type SearchResult = TypeOf<typeof result>;

export const searchAnswer = component('FoundThings', {
  results: list(result),
  complete: flag(
    'False where a kind has fewer than `limit` results and more than 1,000 things: only the newest trails and artifacts, and the first of the others, were looked through. Always looked for among all of them: beginnings of commits and fingerprints, of names and identifiers, of the last nine words of the names of trails and of artifacts of flows, of words of the commits of these artifacts and of trails (the first 20 of the first line of the message, and the first ten of the author), and of the first ten words of a tag. A text is compared with a word and what follows it, 40 characters of both. Vulnerabilities are found by a whole name, components by the beginning of a name or package URL. Words are separated by other characters than letters and digits, but for points in versions such as 1.12.0.',
  ),
});
export type SearchResults = TypeOf<typeof searchAnswer>;

export const searchExample: SearchResults = {
  results: [
    {
      kind: 'environment',
      name: 'production',
      found_in: 'name',
      text: 'production',
      id: null,
      flow: null,
      environment: null,
      fingerprint: null,
    },
  ],
  complete: true,
};
