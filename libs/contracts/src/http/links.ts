/** The public address of this installation, and an organization. */
export interface Site {
  /** Such as `https://assurance.example`, without a slash at the end; may have a path. */
  readonly publicUrl: string;
  /** Name of the organization. */
  readonly org: string;
}

const part = encodeURIComponent;

/** An artifact's id in links. Clients look for 8-4-4-4-8 digits at their end. */
const shortId = (id: string) => id.slice(0, '01234567-0123-0123-0123-01234567'.length);

/** Addresses of the API's resources and of their pages, for `_links` and `html_url`. */
export const links = {
  api: ({ publicUrl }: Site) => `${publicUrl}/api/v2`,
  snapshot: (site: Site, environment: string, snapshot: number) =>
    `${links.api(site)}/snapshots/${part(site.org)}/${part(environment)}/${snapshot}`,
  snapshotPage: ({ publicUrl, org }: Site, environment: string, snapshot: number) =>
    `${publicUrl}/${part(org)}/environments/${part(environment)}/snapshots/${snapshot}`,
  environmentPage: ({ publicUrl, org }: Site, environment: string) =>
    `${publicUrl}/${part(org)}/environments/${part(environment)}`,
  environment: (site: Site, environment: string) =>
    `${links.api(site)}/environments/${part(site.org)}/${part(environment)}`,
  artifact: (site: Site, flow: string, fingerprint: string) =>
    `${links.api(site)}/artifacts/${part(site.org)}/${part(flow)}/fingerprint/${fingerprint}`,
  /** The repository by its id, so the path does not matter. */
  repo: (site: Site, id: string) => `${links.api(site)}/repos/${part(site.org)}/${part(id)}?id=${part(id)}`,
  repoLiveArtifacts: (site: Site, { id, name }: { readonly id: string; readonly name: string }) =>
    `${links.api(site)}/repos/${part(site.org)}/live-artifacts/${part(name)}?id=${part(id)}`,
  repoDeployments: (site: Site, id: string) => `${links.api(site)}/repos/${part(site.org)}/${part(id)}/deployments`,
  artifactPage: ({ publicUrl, org }: Site, flow: string, fingerprint: string, artifactId: string) =>
    `${publicUrl}/${part(org)}/flows/${part(flow)}/artifacts/${fingerprint}?artifact_id=${shortId(artifactId)}`,
  trail: (site: Site, flow: string, trail: string) =>
    `${links.api(site)}/trails/${part(site.org)}/${part(flow)}/${part(trail)}`,
  trailPage: (site: Site, flow: string, trail: string) => `${links.flowPage(site, flow)}/trails/${part(trail)}`,
  attestation: (site: Site, id: string) =>
    `${links.api(site)}/attestations/${part(site.org)}?attestation_id=${part(id)}`,
  /** Relative to `publicUrl`. */
  evidencePath: ({ org }: Pick<Site, 'org'>, flow: string, trail: string, id: string) =>
    `/api/v2/attestations/${part(org)}/${part(flow)}/trail/${part(trail)}/attestation/${part(id)}/evidence`,
  attestationPage: (site: Site, flow: string, trail: string, id: string) =>
    `${links.trailPage(site, flow, trail)}?attestation_id=${part(id)}`,
  vulnerability: (site: Site, id: string) => `${links.api(site)}/vulnerabilities/${part(site.org)}/${part(id)}`,
  vulnerabilityPage: ({ publicUrl, org }: Site, id: string) => `${publicUrl}/${part(org)}/vulnerabilities/${part(id)}`,
  flowPage: ({ publicUrl, org }: Site, flow: string) => `${publicUrl}/${part(org)}/flows/${part(flow)}`,
} as const;
