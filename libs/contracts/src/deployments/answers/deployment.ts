import { commitInfo, MADE_UP, pageFields, pageLinks } from '../../http/answers/common';
import {
  component,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  type TypeOf,
  oneOf,
  text,
  url,
} from '../../http/shape';

/** `_links` of a deployment. `artifact` is left out if the artifact has no provenance. */
export const deploymentLinks = component(
  'DeploymentLinks',
  { snapshot: object({ self: url(), html: url() }) },
  { artifact: object({ self: url(), html: url() }) },
);
export type DeploymentLinks = TypeOf<typeof deploymentLinks>;

const { host, fingerprint } = MADE_UP;
export const deploymentLinksExample: DeploymentLinks = {
  artifact: {
    self: `${host}/api/v2/artifacts/acme/shop-web/fingerprint/${fingerprint}`,
    html: `${host}/acme/flows/shop-web/artifacts/${fingerprint}?artifact_id=018bcfe5-6800-7000-8000-00000003`,
  },
  snapshot: {
    self: `${host}/api/v2/snapshots/acme/production/1`,
    html: `${host}/acme/environments/production/snapshots/1`,
  },
};

/** Specification 2.3. */
const replacedArtifact = component('ReplacedArtifact', {
  fingerprint: text(),
  artifact_name: nullable(text()),
  snapshot_index: nullable(integer()),
  commit: nullable(commitInfo),
});
const sharedFields = {
  fingerprint: text('SHA-256 of the artifact.'),
  deployed_at: number('Epoch seconds.'),
  artifact_name: nullable(text()),
  env_name: nullable(text()),
  snapshot_index: nullable(integer()),
  _links: nullable(deploymentLinks),
};

/** Fields that both lists of an organization leave out if they are unknown. */
const optionalFields = { lead_time: number('Seconds from the commit to the deployment; left out when unknown.') };
export type OptionalFields = Pick<OrgDeployment, keyof typeof optionalFields>;

/** An item of the organization's list (specification 2.1). Releases describe its `lead_time` in fewer words. */
export const orgDeployment = component('OrganizationDeployment', sharedFields, {
  ...optionalFields,
  lead_time: number('Seconds from the commit to the deployment.'),
});
export type OrgDeployment = TypeOf<typeof orgDeployment>;

/** An item of a repository's list (specification 2.1). */
export const repoDeployment = component('RepositoryDeployment', {
  ...sharedFields,
  compliance: nullable(flag('The verdict on it in the snapshot in which it started.')),
  commit: nullable(commitInfo),
  replaced_artifact: nullable(replacedArtifact),
  diff_url: nullable(text('Address of a page that compares both commits.')),
});
export type RepoDeployment = TypeOf<typeof repoDeployment>;

/** The kinds of deployments. The kind depends on the history of the environment. */
export const DEPLOYMENT_KINDS = ['baseline', 'first', 'restart', 'rollback', 'redeployment'] as const;

/** An item of the list with details. It has the fields of both lists of the specification, and the kind. */
export const detailedDeployment = component(
  'DetailedDeployment',
  {
    ...sharedFields,
    kind: oneOf(
      DEPLOYMENT_KINDS,
      '`baseline`: it ran when reporting began; `first`: it never ran here; `restart`: it returned, and nothing else of its line started since; `rollback`: it returned after one that came to the environment later; `redeployment`: any other return. Figures count `first`, `rollback` and `redeployment`.',
    ),
    compliance: nullable(flag('The verdict on it in the snapshot in which it started.')),
    commit: nullable(commitInfo),
    replaced_artifact: nullable(replacedArtifact),
    diff_url: nullable(text('Address of a page that compares both commits.')),
  },
  optionalFields,
);
export type DetailedDeployment = TypeOf<typeof detailedDeployment>;

const page = {
  ...pageFields,
  total_pages: integer('0 when there is nothing, or when per_page is 0.'),
  _links: nullable(pageLinks),
};

/** Specification 2.4. */
export const orgDeploymentPage = component('OrganizationDeploymentPage', { ...page, deployments: list(orgDeployment) });
export type OrgDeploymentPage = TypeOf<typeof orgDeploymentPage>;

/** Specification 2.4: no other properties are allowed. */
export const repoDeploymentPage = component('RepositoryDeploymentPage', { ...page, deployments: list(repoDeployment) });
export type RepoDeploymentPage = TypeOf<typeof repoDeploymentPage>;

export const detailedDeploymentPage = component('DetailedDeploymentPage', {
  ...page,
  deployments: list(detailedDeployment),
});
export type DetailedDeploymentPage = TypeOf<typeof detailedDeploymentPage>;
