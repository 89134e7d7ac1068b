import { links } from '@assurance/contracts/http/links';

/** The URL of a list of components of an organization, as `links` takes the site. @param parts the rest of its path */
export function componentsAddress(site: Parameters<typeof links.api>[0], ...parts: readonly string[]): string {
  return [links.api(site), 'components', ...[site.org, ...parts].map(encodeURIComponent)].join('/');
}
