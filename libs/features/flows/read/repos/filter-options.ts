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
    const ownOptions = {
      provider: doc.provider ?? NO_PROVIDER,
      host: vcsInstance(doc.url),
      group: namespaceOf(doc)[depth],
    };
    const isOfProvider = provider === undefined || ownOptions.provider === provider;
    const isOfHost = host === undefined || ownOptions.host === host;
    const isInside = isInNamespace(doc, namespace);
    if (isOfHost && isInside) providers.add(ownOptions.provider);
    if (isOfProvider && isInside && ownOptions.host !== null) hosts.add(ownOptions.host);
    if (isOfProvider && isOfHost && isInside && ownOptions.group !== undefined) groups.add(ownOptions.group);
  }
  const sortValues = (values: ReadonlySet<string>) => [...values].sort().slice(0, WHOLE_LIST_MAX);
  return { providers: sortValues(providers), vcs_instances: sortValues(hosts), namespace_values: sortValues(groups) };
}
