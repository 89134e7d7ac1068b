import { badRequest, echo, type Errors, input, invalidFields, notFound, overLimit } from '@assurance/kernel';

export const flowRefusals = {
  /** `field`: the field of the body with the name. */
  'flow-name-reserved': ({ field, name }: { field: 'name' | 'new_name'; name: string }) =>
    invalidFields({ [field]: `A route of the API has this name. Choose another one ${input(name)}` }),
  'flow-unknown': ({ name, org }: { name: string; org: string }) =>
    notFound(`Flow named '${echo(name)}' does not exist for organization '${echo(org)}'`),
  'flow-archived': ({ name }: { name: string }) =>
    badRequest(`Flow named '${echo(name)}' has been archived: nothing new can be added to it`),
  'template-invalid': ({ errors }: { errors: Errors }) => badRequest(templateProblems(errors)),
  'trail-unknown': ({ name, org, flow }: { name: string; org: string; flow: string }) =>
    notFound(`Trail with name '${echo(name)}' does not exist for Organization '${echo(org)}' and Flow '${echo(flow)}'`),
  'artifact-unknown': ({ fingerprint, org, flow }: { fingerprint: string; org: string; flow: string }) =>
    notFound(
      `Artifact with fingerprint '${echo(fingerprint)}' does not exist in flow '${echo(flow)}' belonging to organization '${echo(org)}'`,
    ),
  /** No flow knows the fingerprint. */
  'fingerprint-unknown': ({ fingerprint }: { fingerprint: string }) =>
    notFound(`Artifact with fingerprint '${echo(fingerprint)}' does not exist`),
  'search-empty': ({ text }: { text: string }) => notFound(`No matches for '${echo(text)}'.`),
  /** An attestation of an artifact that names neither the fingerprint nor the git commit. */
  'attestation-unbound': ({ name, artifact }: { name: string; artifact: string }) =>
    badRequest(
      `Attestation '${echo(name)}' of artifact '${echo(artifact)}' requires at least one of: artifact_fingerprint or git_commit_info.`,
    ),
  /** An attestation of an artifact that was not reported in its trail. */
  'attested-artifact-unknown': (refusal: { fingerprint: string; trail: string; flow: string; org: string }) =>
    notFound(
      `Artifact with fingerprint ${echo(refusal.fingerprint)} does not exist in trail "${echo(refusal.trail)}" ` +
        `of flow "${echo(refusal.flow)}" belonging to organization "${echo(refusal.org)}"`,
    ),
  /** The trail has reached the limit of attestations with different targets and names. */
  'too-many-attestations': ({ limit }: { limit: number }) =>
    overLimit(
      `The trail has reached the limit of ${limit} attestations of different names. Report under a name that it has, or on another trail`,
    ),
  'attestation-unknown': ({ id }: { id: string }) => notFound(`Attestation '${echo(id)}' does not exist`),
  'evidence-none': ({ id }: { id: string }) => notFound(`Attestation '${echo(id)}' came without evidence`),
  /** The store of attachments lacks a recorded file. This happens after a restore to an earlier time. */
  'evidence-lost': ({ id, filename, sha256 }: { id: string; filename: string; sha256: string }) =>
    notFound(
      `The attachment '${echo(filename)}' of attestation '${echo(id)}' is lost: the store of attachments does not have its content ` +
        `(SHA-256 ${sha256}). Restore the store to a later moment, or attach the same file again`,
    ),
};

/** One line for each place. Clients search for the plural form, even for one place. */
function templateProblems(errors: Errors): string {
  const lines = Object.entries(errors).map(([path, text]) => (path === '' ? text : `${echo(path)}: ${text}`));
  return [`${lines.length} validation errors for Template`, ...lines].join('\n');
}

/** How many of them the text lists; the list of repositories shows all. */
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
