import { ROLES, SOURCES } from '@assurance/contracts-events';
import { memberAnswer, memberPut, membershipPage, okAnswer } from '../answers';
import { ACCOUNT_NAME_MAX, MemberPutInput } from '../bodies';
import { choice, choices, integer, text, timestamp } from '../params';
import { PATTERNS } from '../patterns';
import { INVALID, route } from '../route';
import { list } from '../shape';
import { newInvitationSample } from './samples-access';

const tag = 'Members';
const unknown = "User 'grace' is no member of organization 'acme'";
const tooMany = 'The organization has reached the limit of 500 administrators';
const paths = { user: 'Name of the user.' };

/** The fields by which the log of memberships can be sorted. */
export const MEMBERSHIP_SORTS = ['when', 'user', 'role', 'changed_by', 'source'] as const;
/** What happens to memberships. */
export const MEMBERSHIP_CHANGES = ['added', 'changed', 'removed'] as const;

/** Who belongs to an organization, since when and by whom. */
export const memberRoutes = {
  listMembers: route({
    id: 'listMembers',
    method: 'GET',
    path: '/api/v2/organizations/{org}/members',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'List the members of an organization',
    description: 'By name; those who were removed are not among them.',
    query: {
      page: integer({ min: 1, default: 1, description: 'Number of the page.' }),
      per_page: integer({ min: 1, max: 100, default: 50, description: 'Members per page.' }),
    },
    answers: {
      200: {
        description: 'One page, without an envelope.',
        shape: list(memberAnswer),
        example: [{ user: 'grace', email: 'grace@example.com', role: 'member' }],
      },
    },
  }),
  putMember: route({
    id: 'putMember',
    method: 'PUT',
    path: '/api/v2/organizations/{org}/members/{user}',
    owner: 'ingestion',
    permission: 'organization',
    tag,
    summary: 'Change the role of a member, or invite somebody',
    description:
      'Of a shared organization. The role of a member works within a second. Somebody who is no member is invited where an email is given, as by createInvitation, whether there is a user of this name or not. An organization keeps at least one administrator.',
    paths,
    patterns: { user: { pattern: PATTERNS.environment, max: ACCOUNT_NAME_MAX } },
    body: { kind: 'json', dto: MemberPutInput, example: { role: 'member' } },
    answers: {
      200: {
        description: 'The role is as asked for.',
        shape: memberPut,
        example: { user: 'grace', role: 'admin', invitation: null },
      },
      201: {
        description: 'Invited.',
        shape: memberPut,
        example: { user: 'grace', role: 'member', invitation: newInvitationSample },
      },
    },
    errors: { 400: [INVALID], 404: [`${unknown}. With an email they are invited`], 413: [tooMany] },
  }),
  removeMember: route({
    id: 'removeMember',
    method: 'DELETE',
    path: '/api/v2/organizations/{org}/members/{user}',
    owner: 'ingestion',
    permission: 'organization',
    tag,
    summary: 'Remove a member',
    description: 'Their keys open nothing of the organization any more within a second.',
    paths,
    answers: { 200: { description: 'Removed.', shape: okAnswer, example: 'OK' } },
    errors: { 400: [INVALID], 404: [unknown] },
  }),
  listMembershipEvents: route({
    id: 'listMembershipEvents',
    method: 'GET',
    path: '/api/v2/membership-audit-log/{org}',
    owner: 'projection',
    permission: 'membership-log',
    tag,
    summary: 'List what happened to memberships',
    description:
      'Who was added, given another role or removed, when and by whom; newest first unless sorted otherwise.',
    query: {
      page: integer({ min: 1, default: 1, description: 'Number of the page.' }),
      per_page: integer({ min: 1, max: 100, default: 15, description: 'Events per page.' }),
      search: text({ description: 'Part of the name of the user or of who did it, in any case.', empty: 'absent' }),
      type: choices(MEMBERSHIP_CHANGES, 'Only these; may be repeated.'),
      role: choices(ROLES, 'Only with one of these as the new role; may be repeated.'),
      source: choices(SOURCES, 'Only from these; may be repeated.'),
      from: timestamp('Events at or after this time, in epoch seconds.'),
      to: timestamp('Events at or before this time, in epoch seconds.'),
      sort: choice(MEMBERSHIP_SORTS, 'when', 'By which column.'),
      sort_direction: choice(['asc', 'desc'], 'desc', 'In which direction.'),
    },
    answers: {
      200: {
        description: 'One page.',
        shape: membershipPage,
        example: {
          page: 1,
          per_page: 15,
          total_pages: 1,
          total_count: 1,
          _links: {
            self: 'https://assurance.example.com/api/v2/membership-audit-log/acme?page=1&per_page=15',
            first: 'https://assurance.example.com/api/v2/membership-audit-log/acme?page=1&per_page=15',
            last: 'https://assurance.example.com/api/v2/membership-audit-log/acme?page=1&per_page=15',
          },
          events: [
            {
              id: '018bcfe5-6800-7000-8000-00000000000b',
              type: 'added',
              user: 'grace',
              changed_by: 'ada',
              role: 'member',
              previous_role: '',
              source: 'invitation',
              created_at: 1700000000,
            },
          ],
        },
      },
    },
  }),
} as const;
