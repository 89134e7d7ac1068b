import { Link } from 'react-router';
import { to } from '../app/paths';
import { BreakableName, PageLink } from '../ui';
import { pageOf } from './links';

interface Props {
  /** A flow that knows the artifact; null or undefined if there is none. */
  readonly flow: string | null | undefined;
  readonly fingerprint: string;
  readonly name: string;
}

/** The name of an artifact with a link to its page. There is no link if its digest is unknown. */
export function ArtifactName({ flow, fingerprint, name }: Props) {
  const text = <BreakableName>{name}</BreakableName>;
  if (fingerprint === '') return text;
  return <PageLink to={flow ? to.artifact(flow, fingerprint) : to.unknownArtifact(fingerprint)}>{text}</PageLink>;
}

interface DeployedArtifact {
  readonly artifact_name: string | null;
  readonly fingerprint: string;
  readonly _links: { readonly artifact?: { readonly html: string } } | null;
}

interface DeployedProps {
  readonly deployment: DeployedArtifact;
  /** The beginning of the name, if it is already shown before it. */
  readonly shownPrefix?: string;
}

/** The name of the artifact of a deployment with a link to its page. */
export function DeployedName({ deployment: { artifact_name, fingerprint, _links }, shownPrefix = '' }: DeployedProps) {
  const name = artifact_name?.slice(shownPrefix.length) ?? 'unnamed';
  const page = pageOf(_links?.artifact?.html);
  if (page === null) return <ArtifactName flow={null} fingerprint={fingerprint} name={name} />;
  return (
    <Link to={page}>
      <BreakableName>{name}</BreakableName>
    </Link>
  );
}
