import { gives } from '../../http/answers/common';
import { names, positions, texts } from '../../http/params';
import { reads, route } from '../../http/route';
import { flag, integer, list, oneOf, text } from '../../http/shape';
import {
  environmentList,
  environmentPageExample,
  flowList,
  flowPageExample,
  WHOLE_LIST_MAX,
} from '../answers/catalogue';
import { ENVIRONMENT_STATES } from '../answers/environment';
import { searchAnswer, searchExample } from '../answers/search';
import { ENVIRONMENT_TYPES } from '../events';

const whole = `Without \`page\` and \`per_page\` the answer is a plain list of at most ${WHOLE_LIST_MAX}. If more match, the header \`X-Total-Count\` has their number.`;
const direction = oneOf(['asc', 'desc'], 'Direction of the order.', { default: 'asc' });
const page = integer('Number of the page.', { min: 1 });
const perPage = (what: string, usual: number) =>
  integer(`${what} per page; ${usual} when only \`page\` is given.`, { min: 1, max: 100 });

const inSpaces = names(
  'Only what is directly in the space with this id, `root` for the root; repeat the parameter for several. An unknown space is empty.',
);

/** Lists that clients request with or without pages, and the search through all of them. */
export const catalogueRoutes = {
  findAnything: route('GET', '/api/v2/search/{org}', {
    ...reads('Search'),
    summary: 'Find anything by a part of its name',
    description:
      'Environments, flows, repositories, policies, controls, artifacts and trails that have a text, in any letter case: in a name, description, identifier, address or tag. Artifacts are also found by message and author of their commit, and by the beginning of their fingerprint or commit. Vulnerabilities are found by a whole name, components by the beginning of their name; the allow-lists, members, and service accounts with keys that the caller may see are found too. A vulnerability or component without a result is one that no imported database or SBOM names: nothing is said about what is affected.',
    query: {
      q: text('The text, of 1 to 100 characters.'),
      limit: integer('The most results of each kind.', { min: 1, max: 20, default: 5 }),
    },
    answers: gives('The results, by kind.', searchAnswer, searchExample),
  }),
  listEnvironments: route('GET', '/api/v2/environments/{org}', {
    ...reads('Environments'),
    summary: 'List environments',
    description: `Environments that are not archived. ${whole}`,
    query: {
      page,
      per_page: perPage('Environments', 15),
      ...positions,
      name: text('Only names that contain this text, in any letter case.'),
      type: list(oneOf(ENVIRONMENT_TYPES), 'Only of this type; repeat the parameter for several.'),
      state: list(oneOf(ENVIRONMENT_STATES), 'In this state; repeat the parameter for several.'),
      late: flag('Only those whose next report is late.', { default: false }),
      tag: texts('Only with this tag, as `key` or `key:value`; repeat the parameter, all must match.'),
      space_id: inSpaces,
      sort: oneOf(['name', 'last_modified_at', 'last_changed_at'], 'The field that orders the list.', {
        default: 'name',
      }),
      sort_direction: direction,
    },
    answers: gives('The list.', environmentList, environmentPageExample, 200, 'X-Total-Count', 'Link'),
  }),
  listFlows: route('GET', '/api/v2/flows/{org}', {
    ...reads('Flows'),
    summary: 'List flows',
    description: `Flows that are not archived. ${whole}`,
    query: {
      page,
      per_page: perPage('Flows', 20),
      ...positions,
      search_by_name: text('Only names that contain this text.'),
      case_sensitive: flag('Whether `search_by_name` distinguishes letter case.', { default: true }),
      tag: texts('Only with this tag, as `key` or `key:value`; repeat the parameter, all must match.'),
      space_id: inSpaces,
      sort: oneOf(['name', 'latest_activity'], 'The field that orders the list.', { default: 'name' }),
      sort_direction: direction,
    },
    answers: gives('The list.', flowList, flowPageExample, 200, 'X-Total-Count', 'Link'),
  }),
} as const;
