import { links, type Site } from '../http/links';
import type { DeploymentLinks } from './answers/deployment';

/**
 * Links to the artifact, and to the snapshot in which something happened to it.
 *
 * @param artifact null without provenance
 */
export function deploymentLinks(
  site: Site,
  { environment, snapshot }: { readonly environment: string; readonly snapshot: number },
  artifact: { readonly flow: string; readonly fingerprint: string; readonly artifactId: string } | null,
): DeploymentLinks {
  const artifactLink = artifact && {
    self: links.artifact(site, artifact.flow, artifact.fingerprint),
    html: links.artifactPage(site, artifact.flow, artifact.fingerprint, artifact.artifactId),
  };
  return {
    ...(artifactLink === null ? {} : { artifact: artifactLink }),
    snapshot: {
      self: links.snapshot(site, environment, snapshot),
      html: links.snapshotPage(site, environment, snapshot),
    },
  };
}
