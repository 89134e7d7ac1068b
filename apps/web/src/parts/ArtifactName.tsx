import { Link } from 'react-router';
import { to } from '../app/paths';

interface Props {
  readonly org: string;
  /** A flow that knows the artifact; nothing where none does. */
  readonly flow: string | null | undefined;
  readonly fingerprint: string;
  readonly name: string;
}

/** The name of an artifact, with a link to its page where a flow knows it. */
export function ArtifactName({ org, flow, fingerprint, name }: Props) {
  const text = <bdi>{name}</bdi>;
  return flow ? <Link to={to.artifact(org, flow, fingerprint)}>{text}</Link> : text;
}
