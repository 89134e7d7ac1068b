import { WHOLE_LIST_MAX } from '@assurance/contracts/environments/answers/catalogue';
import type { RepoFilterOptions } from '@assurance/contracts/flows/answers/repo';
import type { Documents } from '@assurance/storage-ports';
import {
  everyRepo,
  groupsIn,
  isInNamespace,
  namespaceOf,
  NO_PROVIDER,
  type RepoFilter,
  vcsInstance,
} from '../../lookups/repos';

/**
 * Returns the filter values of repositories. A filter does not narrow the list of its own values. The namespace filter sets the groups below which
 * further groups are listed.
 */
export async function filterOptions(
  documents: Documents,
  { org, tags, provider, vcsInstance: host, namespace = '' }: RepoFilter,
): Promise<RepoFilterOptions> {
  const depth = groupsIn(namespace).length;
  const [providers, hosts, groups] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for await (const { doc } of everyRepo(documents, { org, ...(tags === undefined ? {} : { tags }) })) {
    const own = { provider: doc.provider ?? NO_PROVIDER, host: vcsInstance(doc.url), group: namespaceOf(doc)[depth] };
    const isOfProvider = provider === undefined || own.provider === provider;
    const isOfHost = host === undefined || own.host === host;
    const isInside = isInNamespace(doc, namespace);
    if (isOfHost && isInside) providers.add(own.provider);
    if (isOfProvider && isInside && own.host !== null) hosts.add(own.host);
    if (isOfProvider && isOfHost && isInside && own.group !== undefined) groups.add(own.group);
  }
  const listed = (values: ReadonlySet<string>) => [...values].sort().slice(0, WHOLE_LIST_MAX);
  return { providers: listed(providers), vcs_instances: listed(hosts), namespace_values: listed(groups) };
}
