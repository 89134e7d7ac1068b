import { Link } from 'react-router';
import { to } from '../app/paths';
import { Breakable, PageLink } from '../ui';
import { pageOf } from './links';

interface Props {
  /** A flow that knows the artifact; nothing where none does. */
  readonly flow: string | null | undefined;
  readonly fingerprint: string;
  readonly name: string;
}

/** The name of an artifact, with a link to its page; without one where nobody knows its digest. */
export function ArtifactName({ flow, fingerprint, name }: Props) {
  const text = (
    <bdi>
      <Breakable>{name}</Breakable>
    </bdi>
  );
  if (fingerprint === '') return text;
  return <PageLink to={flow ? to.artifact(flow, fingerprint) : to.unknownArtifact(fingerprint)}>{text}</PageLink>;
}

interface Deployed {
  readonly artifact_name: string | null;
  readonly _links: { readonly artifact?: { readonly html: string } } | null;
}

interface DeployedProps {
  readonly deployment: Deployed;
  /** The beginning of the name that stands before it already. */
  readonly same?: string;
}

/** The name of the artifact of a deployment, with a link to its page where the deployment has one. */
export function DeployedName({ deployment: { artifact_name, _links }, same = '' }: DeployedProps) {
  const text = (
    <bdi>
      <Breakable>{artifact_name?.slice(same.length) ?? 'unnamed'}</Breakable>
    </bdi>
  );
  const page = pageOf(_links?.artifact?.html);
  return page === null ? text : <Link to={page}>{text}</Link>;
}
