import { gives } from '../../http/answers/common';
import { reads, route } from '../../http/route';
import { windowed, windowedPage } from '../../http/routes/window';
import { text } from '../../http/shape';
import { buildExamples, buildPage, buildStatistics } from '../answers/build';

/** The most builds for which statistics list the times. */
export const BUILD_MOMENTS_MAX = 10_000;

const tag = 'Artifacts';
const ofRepo = {
  repo_id: text('Only from the repository with this id at the provider.', { min: 1 }),
  repo_name: text('Only from repositories of exactly this name.', { min: 1 }),
  repo_inner_id: text('Only from the repository of this internal id.', { min: 1 }),
};

/** A build is the first report of a fingerprint in the organization. With a filter by repository, it is the first report in the repository. */
export const buildRoutes = {
  listBuilds: route('GET', '/api/v2/builds/{org}', {
    ...reads(tag),
    summary: 'List builds',
    description:
      'Each artifact once, by its first report, newest first. With a filter of repositories: by its first report there. All given filters apply; an unknown repository has none.',
    query: { ...windowedPage('Builds'), ...ofRepo },
    answers: gives('One page.', buildPage, buildExamples.page),
  }),
  getBuildStatistics: route('GET', '/api/v2/builds/{org}/statistics', {
    ...reads(tag),
    summary: 'Get the moments of builds',
    description: `When the builds of the list were reported: the newest ${BUILD_MOMENTS_MAX}. \`total_count\` counts all.`,
    query: { ...windowed('Builds'), ...ofRepo },
    answers: gives('The moments.', buildStatistics, buildExamples.statistics),
  }),
} as const;
