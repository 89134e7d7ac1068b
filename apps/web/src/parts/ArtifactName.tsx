import { Link } from 'react-router';
import { to } from '../app/paths';
import { PageLink } from '../ui';
import { pageOf } from './links';
import { ShortName } from './ShortName';

interface Props {
  /** A flow that knows the artifact; null or undefined if there is none. */
  readonly flow: string | null | undefined;
  readonly fingerprint: string;
  readonly name: string;
  /** The part of the short name that is shown; all of it if left out. */
  readonly shown?: string;
}

/** The name of an artifact with a link to its page. There is no link if its digest is unknown. */
export function ArtifactName({ flow, fingerprint, name, shown }: Props) {
  const text = <ShortName name={name} shown={shown} />;
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
  /** The part of the short name that is shown. */
  readonly shown: string;
}

/** The name of the artifact of a deployment with a link to its page. */
export function DeployedName({ deployment: { artifact_name, fingerprint, _links }, shown }: DeployedProps) {
  const name = artifact_name ?? 'unnamed';
  const page = pageOf(_links?.artifact?.html);
  if (page === null) return <ArtifactName flow={null} fingerprint={fingerprint} name={name} shown={shown} />;
  return (
    <Link to={page}>
      <ShortName name={name} shown={shown} />
    </Link>
  );
}
