import type { SearchResults } from '@assurance/contracts/environments/answers/search';
import { type Environment, running, type RunningDocument } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { plainDigits } from '@assurance/contracts/http/patterns';
import { type Control, controlStates, type Policy, policyStates } from '@assurance/contracts/policies/documents';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import { Matcher, type Matches, tagPlaces } from '@assurance/flows/lookups/matcher';
import { prefixRange } from '@assurance/flows/read/artifacts/find';
import { matchingArtifacts, matchingFlows, matchingRepos, matchingTrails } from '@assurance/flows/read/matches';
import { TagSearch } from '@assurance/flows/read/tags';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { environment } from '../domain/environment';
import { environmentEventsView } from './environment-events/follow';
import { environmentTagWords } from './environment-events/rows';

/** Everything that has a text: so many results of each kind. */
export class FindAnything extends queryBy<{ text: string; limit: number }, ViewAnswer<SearchResults>>() {}

@QueryHandler(FindAnything)
export class FindAnythingHandler extends ViewHandler implements IQueryHandler<FindAnything> {
  async execute({ caller, text, limit }: FindAnything): Promise<ViewAnswer<SearchResults>> {
    const matcher = new Matcher(text, limit);
    const org = caller.org.id;
    const tagSearch = new TagSearch(this.views, caller, matcher);
    const [environments, flows, repos, policies, controls, artifacts, trails] = await Promise.all([
      this.environments(org, matcher, tagSearch),
      matchingFlows(this.ports, org, matcher, tagSearch),
      matchingRepos(this.ports, org, matcher, tagSearch),
      this.policies(org, matcher),
      this.controls(org, matcher, tagSearch),
      matchingArtifacts(this.views, this.ports, caller, matcher),
      matchingTrails(this.views, this.ports, caller, matcher),
    ]);
    const unreportedMatches =
      artifacts.value.results.length > 0 ? { results: [], complete: true } : await this.withoutProvenance(org, matcher);
    const all = [environments, flows, repos, policies, controls, artifacts.value, unreportedMatches, trails.value];
    const value = {
      results: all.flatMap(({ results }) => results),
      complete: all.every(({ complete }) => complete),
    };
    return { behind: Math.max(artifacts.behind, trails.behind, tagSearch.behind), value };
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
