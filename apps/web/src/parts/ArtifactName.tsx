import { to } from '../app/paths';
import { PageLink } from '../ui';

interface Props {
  /** A flow that knows the artifact; nothing where none does. */
  readonly flow: string | null | undefined;
  readonly fingerprint: string;
  readonly name: string;
}

/** The name of an artifact, with a link to its page where a flow knows it. */
export function ArtifactName({ flow, fingerprint, name }: Props) {
  const text = <bdi>{name}</bdi>;
  return flow ? <PageLink to={to.artifact(flow, fingerprint)}>{text}</PageLink> : text;
}
