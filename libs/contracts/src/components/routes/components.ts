import { gives, MADE_UP, pageExample, pageLinksExample } from '../../http/answers/common';
import { snappish } from '../../environments/routes/snappish';
import { paged, writtenTime } from '../../http/params';
import { reads, route } from '../../http/route';
import { NO_ENVIRONMENT, NO_SNAPSHOT, UNKNOWN } from '../../http/routes/unknown';
import { text } from '../../http/shape';
import { artifactComponents, componentDifference, componentSearch, environmentComponents } from '../answers/components';

const tag = 'Components';
const unjudged = { without_sbom: 1, incomplete_sbom: 0, unmatched_components: 0 };
const log4j = {
  purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
  name: 'org.apache.logging.log4j/log4j-core',
  version: '2.14.1',
  licences: ['Apache-2.0'],
  sha256: null,
};
const runs = { ...log4j, artifact_count: 1, fingerprints: [MADE_UP.fingerprint] };
const onePage = (path: string, query = '') => ({ ...pageExample, _links: pageLinksExample(path, query) });
const compared = onePage('/components/acme/compare', '&snappish1=production%238&snappish2=production%239');
const silence =
  'Every answer says how many artifacts have no bill of materials: of these nobody knows what they contain.';

export const componentRoutes = {
  findComponents: route('GET', '/api/v2/components/{org}', {
    ...reads(tag),
    summary: 'Find where a component runs',
    description: `Artifacts whose bill of materials lists a component, and where they run and ran. Exactly one of \`purl\` and \`name\`. ${silence} \`without_sbom\` counts artifacts of the organization, of the flow, or those that ever ran in the environment.`,
    query: {
      purl: text('Package URL, with or without a version. Qualifiers and subpath are not compared.', { min: 1 }),
      name: text('Name of the component in any letter case, or the part of it behind the last slash.', { min: 1 }),
      version: text('Only this version.', { min: 1 }),
      range: text('Only versions in this range, such as `>=2,<2.17`, by the rules of the ecosystem.', { min: 1 }),
      environment: text('Only artifacts that ran in the environment of this name.', { min: 1 }),
      flow: text('Only artifacts that were reported in the flow of this name.', { min: 1 }),
      at: writtenTime('Only artifacts that ran at this time.'),
      from: writtenTime('Only artifacts that ran at or after this time.'),
      to: writtenTime('Only artifacts that ran at or before this time.'),
      ...paged('Rows'),
    },
    answers: gives('One page.', componentSearch, {
      ...onePage('/components/acme', '&name=log4j-core'),
      ...unjudged,
      not_comparable: { total_count: 0, components: [] },
      artifacts: [
        {
          component: log4j,
          fingerprint: MADE_UP.fingerprint,
          artifact_name: 'shop/web:1.4',
          flow: 'shop-web',
          git_commit: MADE_UP.sha,
          repository: 'acme/shop',
          environment_count: 1,
          environments: MADE_UP.places,
        },
      ],
    }),
    errors: { 404: [...NO_ENVIRONMENT, UNKNOWN.flow] },
  }),
  compareComponents: route('GET', '/api/v2/components/{org}/compare', {
    ...reads(tag),
    summary: 'Compare the components of two snapshots',
    description: `Components that only one of two snapshots has, of one environment or of two: a page of each list. ${silence}`,
    query: {
      snappish1: snappish('A snapshot: `env` for its latest, `env#N`, `env~N` or `env@{...}`.'),
      snappish2: snappish('The other snapshot.'),
      ...paged('Components of each list', 100),
    },
    answers: gives('The difference.', componentDifference, {
      snappish1: { snapshot_id: 'production#8', ...unjudged, ...compared, components: [runs] },
      snappish2: {
        snapshot_id: 'production#9',
        ...unjudged,
        ...compared,
        total_count: 0,
        total_pages: 0,
        components: [],
      },
      unchanged_count: 120,
    }),
    errors: NO_SNAPSHOT,
  }),
  listArtifactComponents: route('GET', '/api/v2/components/{org}/artifacts/{fingerprint}', {
    ...reads(tag),
    summary: 'List the components of an artifact',
    description: `Of all its bills of materials the newest of each trail and name counts. ${silence}`,
    paths: { fingerprint: 'SHA-256 of the artifact.' },
    query: paged('Components', 100),
    answers: gives('One page.', artifactComponents, {
      fingerprint: MADE_UP.fingerprint,
      ...onePage(`/components/acme/artifacts/${MADE_UP.fingerprint}`),
      ...unjudged,
      without_sbom: 0,
      components: [log4j],
    }),
    errors: { 404: [UNKNOWN.fingerprint] },
  }),
  listEnvironmentComponents: route('GET', '/api/v2/components/{org}/environments/{env}', {
    ...reads(tag),
    summary: 'List the components of an environment',
    description: `Components of the artifacts that run in an environment, or ran at a time. ${silence}`,
    query: {
      at: writtenTime('As it was at this time. Default: now.'),
      ...paged('Components', 100),
    },
    answers: gives('One page.', environmentComponents, {
      environment: 'production',
      snapshot: 9,
      ...onePage('/components/acme/environments/production'),
      ...unjudged,
      components: [runs],
    }),
    errors: { 404: NO_ENVIRONMENT, 410: NO_SNAPSHOT[410] },
  }),
} as const;
