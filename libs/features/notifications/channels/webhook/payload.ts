import { links, type Site } from '@assurance/contracts/http/links';
import type {
  Message,
  MessageItem,
  MessageArtifact,
  MessageKey,
  MessageTrail,
  MessageVulnerability,
} from '../../domain/message';

/** The documented payload 1.0 of webhooks for one event. Times and indexes are texts. An event of a flow also has its trail and attestation. */
export function payload(site: Site, { org, environment, at, snapshot, trail, told }: Message): object {
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
    ...(trail === undefined ? {} : inFlow(site, trail, event)),
    ...(event.key === undefined ? {} : { api_key: keyOf(event.key) }),
    ...(event.vulnerability === undefined ? {} : { vulnerability: vulnerabilityOf(site, event.vulnerability) }),
  };
}

function keyOf({ id, description, account, expiresAt }: MessageKey): object {
  return { id, description, service_account: account, expires_at: String(expiresAt) };
}

function vulnerabilityOf(site: Site, { id, ...vulnerability }: MessageVulnerability): object {
  const urls = { html_url: links.vulnerabilityPage(site, id), api_url: links.vulnerability(site, id) };
  return { id, ...vulnerability, ...urls };
}

function inFlow(site: Site, { flow, trail }: MessageTrail, { attestation }: MessageItem): object {
  return {
    flow: { name: flow, html_url: links.flowPage(site, flow) },
    trail:
      trail === null
        ? null
        : { name: trail, html_url: links.trailPage(site, flow, trail), api_url: links.trail(site, flow, trail) },
    attestation:
      attestation === undefined || trail === null
        ? null
        : {
            id: attestation.id,
            name: attestation.name,
            type: attestation.type,
            status: statusOf(attestation.compliant),
            html_url: links.attestationPage(site, flow, trail, attestation.id),
            api_url: links.attestation(site, attestation.id),
          },
  };
}

function statusOf(compliant: boolean | null): 'COMPLIANT' | 'NON-COMPLIANT' | null {
  return compliant === null ? null : compliant ? 'COMPLIANT' : 'NON-COMPLIANT';
}

function artifactOf(site: Site, { name, fingerprint, compliant, provenance, kind }: MessageArtifact): object {
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
