import type { SearchResults } from '@assurance/contracts/environments/answers/search';
import { allowed, type Environment, running, type RunningDocument } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { plainDigits } from '@assurance/contracts/http/patterns';
import { Refused } from '@assurance/contracts/http/refusals';
import { type Control, controlStates, type Policy, policyStates } from '@assurance/contracts/policies/documents';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import { Matcher, type Matches, tagPlaces } from '@assurance/flows/lookups/matcher';
import { prefixRange } from '@assurance/flows/read/artifacts/find';
import { matchingArtifacts, matchingFlows, matchingRepos, matchingTrails } from '@assurance/flows/read/matches';
import { TagSearch } from '@assurance/flows/read/tags';
import type { Principal } from '@assurance/http';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { pagesAmong } from '@assurance/storage-ports';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { environment } from '../domain/environment';
import { environmentEventsView } from './environment-events/follow';
import { environmentTagWords } from './environment-events/rows';
import { COMPONENT_MATCHES, type FurtherMatches, VULNERABILITY_MATCHES } from './further-matches';
import { matchingAccounts, matchingMembers } from './people';

/** The most environments whose allow-lists are searched, and how many entries are read at once. */
const ENVIRONMENTS_MAX = 1_000;
const TOGETHER = 250;

/** Everything that has a text: so many results of each kind. */
export class FindAnything extends queryBy<
  { principal: Principal; text: string; limit: number },
  ViewAnswer<SearchResults>
>() {}

@QueryHandler(FindAnything)
export class FindAnythingHandler extends ViewHandler implements IQueryHandler<FindAnything> {
  constructor(
    @Inject(COMPONENT_MATCHES) private readonly components: FurtherMatches,
    @Inject(VULNERABILITY_MATCHES) private readonly vulnerabilities: FurtherMatches,
  ) {
    super();
  }

  async execute({ caller, principal, text, limit }: FindAnything): Promise<ViewAnswer<SearchResults>> {
    const matcher = new Matcher(text, limit);
    const org = caller.org.id;
    const tagSearch = new TagSearch(this.views, caller, matcher);
    const { documents } = this.ports;
    const [
      environments,
      flows,
      repos,
      policies,
      controls,
      artifacts,
      trails,
      exceptions,
      vulnerabilities,
      components,
      members,
      accounts,
    ] = await Promise.all([
      this.environments(org, matcher, tagSearch),
      matchingFlows(this.ports, org, matcher, tagSearch),
      matchingRepos(this.ports, org, matcher, tagSearch),
      this.policies(org, matcher),
      this.controls(org, matcher, tagSearch),
      matchingArtifacts(this.views, this.ports, caller, matcher),
      matchingTrails(this.views, this.ports, caller, matcher),
      this.exceptions(org, matcher),
      this.vulnerabilities.of(caller, matcher).catch(incompleteWhileBuilding),
      this.components.of(caller, matcher).catch(incompleteWhileBuilding),
      matchingMembers(documents, org, matcher),
      matchingAccounts(documents, org, principal, matcher, this.clock.now()),
    ]);
    const unreportedMatches =
      artifacts.value.results.length > 0 ? { results: [], complete: true } : await this.withoutProvenance(org, matcher);
    const all = [
      environments,
      flows,
      repos,
      policies,
      controls,
      artifacts.value,
      unreportedMatches,
      trails.value,
      exceptions,
      vulnerabilities.value,
      components.value,
      members,
      accounts,
    ];
    const value = {
      results: all.flatMap(({ results }) => results),
      complete: all.every(({ complete }) => complete),
    };
    const behind = [artifacts, trails, tagSearch, vulnerabilities, components].map((read) => read.behind);
    return { behind: Math.max(...behind), value };
  }

  private environments(org: string, matcher: Matcher, tagSearch: TagSearch): Promise<Matches> {
    const query = { where: { org, archived: false }, order: orderBy('name') };
    const states = this.ports.documents.collection(environment.states);
    return matcher.through<Environment>(
      states,
      query,
      ({ name, description, tags }) =>
        matcher.match({ kind: 'environment', name }, ['name', name], ['description', description], ...tagPlaces(tags)),
      'name',
      () => tagSearch.in('environment', states, environmentEventsView, environmentTagWords),
    );
  }

  private policies(org: string, matcher: Matcher): Promise<Matches> {
    const query = { where: { org }, order: orderBy('name') };
    const states = this.ports.documents.collection(policyStates);
    return matcher.through<Policy>(
      states,
      query,
      ({ name, description }) => matcher.match({ kind: 'policy', name }, ['name', name], ['description', description]),
      'name',
    );
  }

  private controls(org: string, matcher: Matcher, tagSearch: TagSearch): Promise<Matches> {
    const query = { where: { org, archived: false }, order: orderBy('identifier') };
    const states = this.ports.documents.collection(controlStates);
    return matcher.through<Control>(
      states,
      query,
      ({ identifier, name, description, tags }) =>
        matcher.match(
          { kind: 'control', name, id: identifier },
          ['name', name],
          ['identifier', identifier],
          ['description', description],
          ...tagPlaces(tags),
        ),
      'identifier',
      () => tagSearch.in('control', states),
    );
  }

  /** Entries of allow-lists, with the environment. */
  private async exceptions(org: string, matcher: Matcher): Promise<Matches> {
    const { documents } = this.ports;
    const query = { where: { org, archived: false }, order: orderBy('name'), limit: ENVIRONMENTS_MAX };
    const names = new Map(
      (await documents.collection(environment.states).find(query)).map(({ doc: { id, name } }) => [id, name]),
    );
    const pages = pagesAmong(documents.collection(allowed), {}, 'environment', names.keys(), TOGETHER);
    const matches = await matcher.collect(pages, ({ doc: { name, description, fingerprint, environment: id } }) =>
      matcher.match(
        { kind: 'exception', name, fingerprint, environment: names.get(id) ?? null },
        ['name', name],
        ['description', description],
      ),
    );
    return { ...matches, complete: matches.complete && names.size < ENVIRONMENTS_MAX };
  }

  /** Running artifacts that nothing reported to a flow, each once, with an environment in which it runs. */
  private async withoutProvenance(org: string, matcher: Matcher): Promise<Matches> {
    const { documents } = this.ports;
    const digits = plainDigits(matcher.text);
    const range = prefixRange(digits);
    const seenFingerprints = new Set<string>();
    const query = {
      where: { org, ...(range === null ? {} : { fingerprint: range }) },
      order: orderBy('fingerprint', 'environment'),
    };
    const matches = await matcher.through<RunningDocument>(
      documents.collection(running),
      query,
      ({ name, fingerprint, environment: where }) => {
        if (seenFingerprints.has(fingerprint)) return null;
        const details = { kind: 'artifact', name, fingerprint, environment: where } as const;
        const result =
          range !== null
            ? matcher.result({ ...details, found_in: 'fingerprint', text: fingerprint })
            : matcher.match(details, ['name', name]);
        if (result !== null) seenFingerprints.add(fingerprint);
        return result;
      },
    );
    const ids = matches.results.flatMap(({ environment: id }) => (id === null ? [] : [streams.environment(id)]));
    const states = await documents.collection(environment.states).getMany([...new Set(ids)]);
    const names = new Map([...states.values()].map(({ id, name }) => [id, name]));
    return {
      ...matches,
      results: matches.results.map((result) => ({
        ...result,
        environment: names.get(result.environment ?? '') ?? null,
      })),
    };
  }
}

/** While one view is built, the search finds what the others have. */
function incompleteWhileBuilding(fault: unknown): ViewAnswer<Matches> {
  if (fault instanceof Refused && fault.refusal.kind === 'view-building') {
    return { value: { results: [], complete: false }, behind: 0 };
  }
  throw fault;
}
