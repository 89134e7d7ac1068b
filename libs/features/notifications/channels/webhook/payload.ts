import { links, type Site } from '@assurance/contracts/http/links';
import type { Message, ToldArtifact } from '../../domain/message';

/** The documented payload 1.0 of webhooks: one event. Times and indexes are texts in it. */
export function payload(site: Site, { org, environment, at, snapshot, told }: Message): object {
  const [event] = told;
  if (event === undefined) throw new Error('a message tells of something');
  return {
    version: '1.0',
    timestamp: String(at / 1000),
    org,
    environment,
    event_type: event.type,
    description: event.description,
    snapshot:
      snapshot === null || environment === null
        ? null
        : {
            index: String(snapshot.index),
            status: statusOf(snapshot.compliant),
            html_url: links.snapshotPage(site, environment, snapshot.index),
            api_url: links.snapshot(site, environment, snapshot.index),
          },
    artifact: event.artifact && artifactOf(site, event.artifact),
  };
}

function statusOf(compliant: boolean | null): 'COMPLIANT' | 'NON-COMPLIANT' | null {
  return compliant === null ? null : compliant ? 'COMPLIANT' : 'NON-COMPLIANT';
}

function artifactOf(site: Site, { name, fingerprint, compliant, provenance, kind }: ToldArtifact): object {
  const artifact = { name, fingerprint, ...(kind === undefined ? {} : { kind }) };
  if (provenance === null) return { ...artifact, provenance: null };
  const { flow, artifactId, gitCommit, commitUrl, buildUrl } = provenance;
  return {
    ...artifact,
    provenance: {
      flow,
      status: statusOf(compliant),
      commit: gitCommit,
      commit_url: commitUrl,
      html_url: links.artifactPage(site, flow, fingerprint, artifactId),
      api_url: links.artifact(site, flow, fingerprint),
      build_url: buildUrl,
    },
  };
}
