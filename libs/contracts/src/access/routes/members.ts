import { gives, ok, pageExample, pageLinksExample } from '../../http/answers/common';
import { followed, paged, timestamp } from '../../http/params';
import { PATTERNS } from '../../http/patterns';
import { reads, route, writes } from '../../http/route';
import { list, oneOf, text } from '../../http/shape';
import { memberAnswer, memberPut, membershipPage } from '../answers/access';
import { ACCOUNT_NAME_MAX, MemberPutInput } from '../bodies/access';
import { ROLES, SOURCES } from '../events';
import { newInvitationSample } from './samples-access';

const tag = 'Members';
const unknown = "User 'grace' is no member of organization 'acme'";
const tooMany = 'The organization has reached the limit of 500 administrators. Give one of them another role';
const paths = { user: 'Name of the user.' };

/** The fields by which the log of memberships can be sorted. */
const MEMBERSHIP_SORTS = ['when', 'user', 'role', 'changed_by', 'source'] as const;
/** Kinds of membership changes. */
const MEMBERSHIP_CHANGES = ['added', 'changed', 'removed'] as const;

/** Who belongs to an organization, since when, and who added them. */
export const memberRoutes = {
  listMembers: route('GET', '/api/v2/organizations/{org}/members', {
    ...reads(tag),
    summary: 'List the members of an organization',
    description: 'Ordered by name, without removed members.',
    query: paged('Members', 50),
    answers: gives('One page as a plain list.', list(memberAnswer), [
      { user: 'grace', email: 'grace@example.com', role: 'member' },
    ]),
  }),
  putMember: route('PUT', '/api/v2/organizations/{org}/members/{user}', {
    ...writes(tag, 'organization'),
    summary: 'Change the role of a member, or invite a person',
    description:
      'For shared organizations. A new role works within a second. A person who is not a member is invited if an email is given, like with createInvitation, whether or not a user of this name exists. An organization always has at least one administrator.',
    paths,
    patterns: { user: { pattern: PATTERNS.environment, max: ACCOUNT_NAME_MAX } },
    body: { kind: 'json', shape: MemberPutInput, example: { role: 'member' } },
    answers: {
      ...gives('The role is set.', memberPut, { user: 'grace', role: 'admin', invitation: null }),
      ...gives(
        'The person is invited.',
        memberPut,
        { user: 'grace', role: 'member', invitation: newInvitationSample },
        201,
      ),
    },
    errors: { 404: [`${unknown}. With an email they are invited`], 413: [tooMany] },
  }),
  removeMember: route('DELETE', '/api/v2/organizations/{org}/members/{user}', {
    ...writes(tag, 'organization'),
    summary: 'Remove a member',
    description: 'The member’s keys lose access to the organization within a second.',
    paths,
    answers: ok('Removed.'),
    errors: { 404: [unknown] },
  }),
  listMembershipEvents: route('GET', '/api/v2/membership-audit-log/{org}', {
    ...reads(tag, 'membership-log'),
    summary: 'List the membership events',
    description: 'Members who were added, changed or removed, with time and actor; newest first by default.',
    query: {
      ...followed('Events'),
      search: text('Part of the name of the user or of the actor, in any letter case.'),
      event_type: list(oneOf(MEMBERSHIP_CHANGES), 'Only of this type; repeat the parameter for several.'),
      role: list(oneOf(ROLES), 'Only with this new role; repeat the parameter for several.'),
      source: list(oneOf(SOURCES), 'Only from this source; repeat the parameter for several.'),
      from_timestamp: timestamp('Events at or after this time, in epoch seconds.'),
      to_timestamp: timestamp('Events at or before this time, in epoch seconds.'),
      sort_by: oneOf(MEMBERSHIP_SORTS, 'The column that sorts the list. Default: `when`.'),
      sort_dir: oneOf(['asc', 'desc'], 'The direction of the order. Default: `desc`.'),
      type: list(oneOf(MEMBERSHIP_CHANGES), 'Another name of `event_type`.'),
      from: timestamp('Another name of `from_timestamp`.'),
      to: timestamp('Another name of `to_timestamp`.'),
      sort: oneOf(MEMBERSHIP_SORTS, 'Another name of `sort_by`.'),
      sort_direction: oneOf(['asc', 'desc'], 'Another name of `sort_dir`.'),
    },
    answers: gives('One page.', membershipPage, {
      ...pageExample,
      _links: pageLinksExample('/membership-audit-log/acme'),
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
    }),
  }),
} as const;
