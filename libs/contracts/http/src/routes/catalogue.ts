import { ENVIRONMENT_TYPES } from '@assurance/contracts-events';
import {
  ENVIRONMENT_STATES,
  environmentList,
  environmentPageExample,
  flowList,
  flowPageExample,
  WHOLE_LIST_MAX,
} from '../answers';
import { choice, choices, optionalInteger, text, texts } from '../params';
import { route } from '../route';

const whole = `Without \`page\` and \`per_page\` a bare list of at most ${WHOLE_LIST_MAX}: where more match, the header \`X-Total-Count\` says how many.`;
const direction = choice(['asc', 'desc'], 'asc', 'Direction of the order.');
const page = optionalInteger({ min: 1, description: 'Number of the page.' });
const perPage = (what: string, usual: number) =>
  optionalInteger({ min: 1, max: 100, description: `${what} per page; ${usual} when only \`page\` is given.` });

const inSpaces = texts(
  'Directly in the space of this id, `root` for the root; repeat the parameter for several. An unknown one holds nothing.',
);

/** Lists that clients ask for with pages or without. */
export const catalogueRoutes = {
  listEnvironments: route({
    id: 'listEnvironments',
    method: 'GET',
    path: '/api/v2/environments/{org}',
    owner: 'projection',
    permission: 'read',
    tag: 'Environments',
    summary: 'List environments',
    description: `Environments that are not archived. ${whole}`,
    query: {
      page,
      per_page: perPage('Environments', 15),
      name: text({ description: 'Names that hold this text, in any case.', empty: 'absent' }),
      type: choices(ENVIRONMENT_TYPES, 'Of this type; repeat the parameter for several.'),
      state: choices(ENVIRONMENT_STATES, 'In this state; repeat the parameter for several.'),
      tag: texts('With this tag, as `key` or `key:value`; repeat the parameter, all must match.'),
      space_id: inSpaces,
      sort: choice(['name', 'last_modified_at', 'last_changed_at'], 'name', 'What they are ordered by.'),
      sort_direction: direction,
    },
    answers: {
      200: {
        description: 'The list.',
        shape: environmentList,
        example: environmentPageExample,
        headers: ['X-Total-Count'],
      },
    },
  }),
  listFlows: route({
    id: 'listFlows',
    method: 'GET',
    path: '/api/v2/flows/{org}',
    owner: 'projection',
    permission: 'read',
    tag: 'Flows',
    summary: 'List flows',
    description: `Flows that are not archived. ${whole}`,
    query: {
      page,
      per_page: perPage('Flows', 20),
      search_by_name: text({ description: 'Names that hold this text.', empty: 'absent' }),
      case_sensitive: choice(['true', 'false'], 'true', 'Whether upper and lower case differ in `search_by_name`.'),
      space_id: inSpaces,
      sort: choice(['name', 'latest_activity'], 'name', 'What they are ordered by.'),
      sort_direction: direction,
    },
    answers: {
      200: { description: 'The list.', shape: flowList, example: flowPageExample, headers: ['X-Total-Count'] },
    },
  }),
} as const;
