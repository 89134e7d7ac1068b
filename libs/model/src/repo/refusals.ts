import { badRequest, echo, notFound } from '@assurance/kernel';

/** How many of them the text lists; the list of repositories has all. */
const LISTED = 10;

interface Ambiguous {
  readonly name: string;
  readonly repos: readonly { readonly id: string; readonly url: string; readonly provider: string | null }[];
}

export const repoRefusals = {
  'repo-unknown': ({ name }: { name: string }) => notFound(`Repo '${echo(name)}' not found`),
  'repo-ambiguous': ({ name, repos }: Ambiguous) => {
    const providers = [...new Set(repos.map(({ provider }) => provider ?? 'none'))].sort().join(', ');
    const ids = repos.slice(0, LISTED).map(({ id, url }) => (url === '' ? id : `${id} (${echo(url)})`));
    const more = repos.length > LISTED ? `, and ${repos.length - LISTED} more` : '';
    return badRequest(
      `Multiple repos named '${echo(name)}' exist (${providers}). Specify the 'provider' query parameter to choose one, or the 'id': ${ids.join(', ')}${more}`,
    );
  },
};
