import { WHOLE_LIST_MAX } from '../../environments/answers/catalogue';
import { gives } from '../../http/answers/common';
import { followed, LARGE_PAGE } from '../../http/params';
import { reads, route } from '../../http/route';
import { UNKNOWN } from '../../http/routes/unknown';
import { integer, list, text } from '../../http/shape';
import { artifactAnswer, artifactExamples, artifactListItem, latestCommit, searchAnswer } from '../answers/artifact';

const tag = 'Artifacts';
const pages = followed('Artifacts', 15, LARGE_PAGE);
const somePage = {
  page: integer('Number of the page of artifacts.', { min: 1 }),
  per_page: integer('Artifacts per page; 50 when only `page` is given.', { min: 1, max: 100 }),
};
const whole = `Without \`page\` and \`per_page\` all of them, up to ${WHOLE_LIST_MAX}. The header \`X-Total-Count\` has their number.`;
const trail = { trail: text('Only the report in this trail.') };
const items = gives('One page.', list(artifactListItem), [artifactExamples.item], 200, 'Link');

export const artifactRoutes = {
  listArtifacts: route('GET', '/api/v2/artifacts/{org}', {
    ...reads(tag),
    summary: 'List artifacts',
    description:
      'A plain list, newest first. With a flow each report is an item; otherwise each artifact is listed once, with its newest report.',
    query: {
      ...pages,
      flow_name: text('Only of this flow.'),
      repo_name: text('Only from repositories of exactly this name. Several of them are counted separately.'),
    },
    answers: items,
    errors: { 404: [UNKNOWN.flow, UNKNOWN.repo] },
  }),
  listFlowArtifacts: route('GET', '/api/v2/artifacts/{org}/{flow}', {
    ...reads(tag),
    summary: 'List artifacts of a flow',
    description: 'The legacy form; newest first.',
    query: pages,
    answers: items,
    errors: { 404: [UNKNOWN.flow] },
  }),
  getArtifact: route('GET', '/api/v2/artifacts/{org}/{flow}/fingerprint/{fingerprint}', {
    ...reads(tag),
    summary: 'Get an artifact',
    description:
      'The newest report in the flow of an artifact whose fingerprint begins with the given value, and where it runs.',
    paths: { fingerprint: 'The fingerprint, or 5 or more of its first characters.' },
    query: { ...trail, attestation_id: text('Only the report in the trail of this attestation of the artifact.') },
    answers: gives('The artifact.', artifactAnswer, artifactExamples.artifact),
    errors: { 404: [UNKNOWN.flow, UNKNOWN.artifact] },
  }),
  getArtifactsOfCommit: route('GET', '/api/v2/artifacts/{org}/{flow}/commit_sha/{sha}', {
    ...reads(tag),
    summary: 'Get the artifacts of a commit',
    description: `Reports of artifacts in the flow whose commit begins with the given value, newest first. ${whole}`,
    paths: { sha: 'The commit, or 5 or more of its first characters.' },
    query: { ...trail, ...somePage },
    answers: gives('The artifacts.', list(artifactAnswer), [artifactExamples.artifact], 200, 'X-Total-Count'),
    errors: { 404: [UNKNOWN.flow, UNKNOWN.artifact] },
  }),
  getLatestCommit: route('GET', '/api/v2/artifacts/{org}/{flow}/{fingerprint}/latest_commit', {
    ...reads(tag),
    summary: 'Get the commit of the previous artifact',
    description: 'The commit of the newest other artifact of the flow that was reported before this one, if any.',
    paths: { fingerprint: 'The fingerprint. If it is unknown, every artifact counts as earlier.' },
    query: { branch: text('Only artifacts of commits on this branch.') },
    answers: gives('The commit.', latestCommit, artifactExamples.latest),
    errors: { 404: [UNKNOWN.flow] },
  }),
  search: route('GET', '/api/v2/search/{org}/sha/{value}', {
    ...reads(tag),
    summary: 'Search by commit or fingerprint',
    description: `Artifacts whose fingerprint or commit begins with the given value, in all flows and environments, and trails whose own commit does. ${whole}`,
    paths: { value: 'A commit or a fingerprint, or 5 or more of its first characters.' },
    query: somePage,
    answers: gives('The result.', searchAnswer, artifactExamples.search, 200, 'X-Total-Count'),
    errors: { 404: ["No matches for 'c0ffee0'."] },
  }),
} as const;
