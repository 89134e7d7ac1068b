import { MADE_UP, pageExample, pageFields, pageLinks, pageLinksExample } from '../../http/answers/common';
import { component, integer, list, nullable, number, object, type TypeOf, text, url } from '../../http/shape';

/** The first report of an artifact. */
const build = component('Build', {
  created_at: number('When it was reported, in epoch seconds.'),
  fingerprint: text(),
  flow_name: text(),
  trail_name: text('Empty if it was reported without a trail.'),
  repo_info: nullable(object({ name: text(), repo_id: text('The id at the provider; empty if unknown.') })),
  _links: object({ artifact: object({ self: url(), html: url() }) }),
});
export type Build = TypeOf<typeof build>;

export const buildPage = component('BuildPage', {
  ...pageFields,
  total_pages: integer('0 when there is nothing, or when per_page is 0.'),
  _links: nullable(pageLinks),
  builds: list(build),
});
export type BuildPage = TypeOf<typeof buildPage>;

export const buildStatistics = component('BuildStatistics', {
  start_ts: number('The begin of the window, in epoch seconds.'),
  end_ts: number('The end of the window, in epoch seconds.'),
  total_count: integer('How many builds the window has.'),
  created_at: list(number(), 'When each was reported, in epoch seconds; newest first.'),
});
export type BuildStatistics = TypeOf<typeof buildStatistics>;

const { host, fingerprint } = MADE_UP;
const WINDOW = '&start_ts=1699987200&end_ts=1700073600';
const page: BuildPage = {
  ...pageExample,
  _links: pageLinksExample('/builds/acme', WINDOW),
  builds: [
    {
      created_at: 1700000100,
      fingerprint,
      flow_name: 'shop-web',
      trail_name: 'build-7',
      repo_info: { name: 'acme/shop', repo_id: '4711' },
      _links: {
        artifact: {
          self: `${host}/api/v2/artifacts/acme/shop-web/fingerprint/${fingerprint}`,
          html: `${host}/acme/flows/shop-web/artifacts/${fingerprint}?artifact_id=018bcfe5-6800-7000-8000-00000003`,
        },
      },
    },
  ],
};
const statistics: BuildStatistics = {
  start_ts: 1699987200,
  end_ts: 1700073600,
  total_count: 1,
  created_at: [1700000100],
};

export const buildExamples = { page, statistics } as const;
