import { orderBy } from '@assurance/contracts/events/aggregate';
import { type Flow, flowStates, type Repo, repoStates } from '@assurance/contracts/flows/documents';
import { plainDigits } from '@assurance/contracts/http/patterns';
import { type ViewAnswer, Views } from '@assurance/event-sourcing/projection/views';
import type { Ports } from '@assurance/event-sourcing/tokens';
import type { Caller } from '@assurance/http/query-caller';
import { type Documents, getAll } from '@assurance/storage-ports';
import { type ProvenanceDocument, provenances } from '../domain/provenance';
import { type Matcher, type Matches, tagPlaces } from '../lookups/matcher';
import { prefixRange, newestFirst, reportsOf } from './artifacts/find';
import { artifactsView } from './artifacts/follow';
import { listArtifacts, readReports } from './artifacts/list';
import { artifactWords } from './artifacts/rows';
import type { TagSearch } from './tags';
import { trailsView } from './trails/follow';
import { flowsById, trailsOfCommit } from './trails/list';
import { type ListedTrail, trailRows, trailWords } from './trails/rows';
import { itemsWith } from './words';

/** How many reports of artifacts are read at once. */
const TOGETHER = 250;

/** Finds flows that contain a text. */
export function matchingFlows(
  { documents }: Ports,
  org: string,
  matcher: Matcher,
  tagSearch: TagSearch,
): Promise<Matches> {
  const query = { where: { org, archived: false }, order: orderBy('name') };
  const states = documents.collection(flowStates);
  return matcher.through<Flow>(
    states,
    query,
    ({ name, description, tags }) =>
      matcher.match({ kind: 'flow', name }, ['name', name], ['description', description], ...tagPlaces(tags)),
    'name',
    () => tagSearch.in('flow', states),
  );
}

/** Finds repositories that contain a text. */
export function matchingRepos(
  { documents }: Ports,
  org: string,
  matcher: Matcher,
  tagSearch: TagSearch,
): Promise<Matches> {
  const query = { where: { org }, order: orderBy('name', 'id') };
  const states = documents.collection(repoStates);
  return matcher.through<Repo>(
    states,
    query,
    ({ id, name, url, description, tags }) =>
      matcher.match(
        { kind: 'repository', name, id },
        ['name', name],
        ['url', url],
        ['description', description],
        ...tagPlaces(tags),
      ),
    'name',
    () => tagSearch.in('repo', states),
  );
}

/**
 * Finds trails by the beginning of their own commit first, then by a text in their name, the first line of the commit message or the author, newest
 * first. If there are more than are searched, an index finds trails in which the text begins a word.
 */
export async function matchingTrails(
  views: Views,
  { documents: states }: Ports,
  caller: Caller,
  matcher: Matcher,
): Promise<ViewAnswer<Matches>> {
  const org = caller.org.id;
  const viewAnswer = await views.read(trailsView, caller, async (documents) => {
    const query = { where: { org }, order: orderBy('-createdAt', 'name') };
    const digits = plainDigits(matcher.text);
    const detailsOf = ({ name, flow }: ListedTrail) => ({ kind: 'trail', name, flow }) as const;
    const match = (row: ListedTrail) => {
      const { name, message, author } = row;
      return matcher.match(detailsOf(row), ['name', name], ['commit message', message], ['author', author]);
    };
    const startsWithTerm = (await trailsOfCommit(documents, org, digits, matcher.limit)).map((row) =>
      matcher.result({ ...detailsOf(row), found_in: 'commit', text: row.commit ?? '' }),
    );
    const matches = matcher.merge(
      startsWithTerm,
      await matcher.through<ListedTrail>(documents.collection(trailRows), query, match),
    );
    if (matches.complete) return matches;
    const ids = await itemsWith(documents, trailWords, org, matcher.text, matcher.limit);
    const rows = [...(await getAll(documents.collection(trailRows), ids)).values()];
    const indexedMatches = rows.sort((a, b) => b.createdAt - a.createdAt).flatMap((row) => match(row) ?? []);
    return matcher.withIndexed(indexedMatches, matches);
  });
  const { results, complete } = viewAnswer.value;
  const flows = await flowsById(states, [...new Set(results.flatMap(({ flow }) => flow ?? []))]);
  const value = results.map((result) => ({ ...result, flow: flows.get(result.flow ?? '')?.name ?? null }));
  return { behind: viewAnswer.behind, value: { results: value, complete } };
}

/**
 * Finds artifacts by the beginning of their fingerprint or commit. If there are none, it searches their name, commit message and author, newest
 * first. If there are more artifacts than are searched, an index finds those in which the text begins a word of the name, of the first line of the
 * message, or of the author.
 */
export async function matchingArtifacts(
  views: Views,
  { documents: states }: Ports,
  caller: Caller,
  matcher: Matcher,
): Promise<ViewAnswer<Matches>> {
  const org = caller.org.id;
  const startsWithTerm = await byBeginning(states, org, matcher);
  if (startsWithTerm.length > 0) return { behind: 0, value: { results: startsWithTerm, complete: true } };
  return views.read(artifactsView, caller, async (documents) => {
    const match = (doc: ProvenanceDocument) => {
      const { filename, commit } = doc.first;
      return matcher.match(
        detailsOf(doc),
        ['name', filename],
        ['commit message', commit?.message],
        ['author', commit?.author],
      );
    };
    const matches = await matcher.collect(readArtifacts(documents, states, org), match);
    if (matches.complete) return matches;
    const ids = await itemsWith(documents, artifactWords, org, matcher.text, matcher.limit);
    const reports = [...(await getAll(states.collection(provenances), ids)).values()].sort(newestFirst);
    return matcher.withIndexed(
      reports.flatMap((doc) => match(doc) ?? []),
      matches,
    );
  });
}

/** Yields all artifacts of an organization in pages, newest first. */
async function* readArtifacts(documents: Documents, states: Documents, org: string) {
  for (let page = 1; ; page += 1) {
    const { rows } = await listArtifacts(documents, { org, flow: null, repos: null }, { page, perPage: TOGETHER });
    yield await readReports(states, rows);
    if (rows.length < TOGETHER) return;
  }
}

async function byBeginning(documents: Documents, org: string, matcher: Matcher) {
  const digits = plainDigits(matcher.text);
  if (prefixRange(digits) === null) return [];
  const results = [];
  for (const [field, found_in] of [
    ['fingerprint', 'fingerprint'],
    ['first.gitCommit', 'commit'],
  ] as const) {
    for (const doc of await reportsOf(documents, { org }, field, digits, matcher.limit)) {
      const text = field === 'fingerprint' ? doc.fingerprint : doc.first.gitCommit;
      results.push(matcher.result({ ...detailsOf(doc), found_in, text }));
    }
  }
  return results.slice(0, matcher.limit);
}

const detailsOf = ({ fingerprint, first: { filename, flow } }: ProvenanceDocument) =>
  ({ kind: 'artifact', name: filename, flow: flow.name, fingerprint }) as const;
