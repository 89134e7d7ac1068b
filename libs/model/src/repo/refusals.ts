import { badRequest, echo, notFound } from '@assurance/kernel';

export const repoRefusals = {
  'repo-unknown': ({ name }: { name: string }) => notFound(`Repo '${echo(name)}' not found`),
  'repo-ambiguous': ({ name, providers }: { name: string; providers: readonly (string | null)[] }) => {
    const distinct = [...new Set(providers.map((provider) => provider ?? 'none'))].sort().join(', ');
    return badRequest(
      `Multiple repos named '${echo(name)}' exist (${distinct}). Specify the 'provider' query parameter to choose one`,
    );
  },
};
