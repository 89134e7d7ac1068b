import { gives, pageExample, pageLinksExample } from '../../http/answers/common';
import { followed, names, texts, timestamp } from '../../http/params';
import { reads, route } from '../../http/route';
import { integer, oneOf, text } from '../../http/shape';
import { auditLogPage } from '../answers/audit-log';
import { eventFeed } from '../answers/events';
import { feedCursor } from '../feed-cursor';

const tag = 'Audit log';
const entry = {
  id: 'environment/018bcfe5-6800-7000-8000-00000000000e#000000000004.0000',
  type: 'environment_renamed',
  actor: { id: '018bcfe5-6800-7000-8000-00000000000a', name: 'ada' },
  subject: { kind: 'environment', id: '018bcfe5-6800-7000-8000-00000000000e', name: 'production' },
  before: { name: 'prod' },
  after: { name: 'production' },
};

/** The audit log, for SIEM systems. */
export const auditLogRoutes = {
  listAuditLog: route('GET', '/api/v2/audit-log/{org}', {
    ...reads(tag, 'audit-log'),
    summary: 'List administrative changes',
    description:
      'Who changed which setting, when, with the values before and after: members, invitations, service accounts and their keys, spaces, environments, flows, tags, policies, controls, attestation types, notifications, retention, legal holds and imports of vulnerabilities. Newest first by default. Secrets are left out. Reports and evidence are no administrative changes.',
    query: {
      ...followed('Entries'),
      search: text('Part of the name of the subject or of the actor, in any letter case.'),
      type: names('Only of this type, such as `environment_updated`; repeat the parameter for several.'),
      subject: names('Only about this kind of subject, such as `environment`; repeat the parameter for several.'),
      actor: texts('Only by the user or service account of this name; repeat the parameter for several.'),
      from: timestamp('Changes at or after this time, in epoch seconds.'),
      to: timestamp('Changes at or before this time, in epoch seconds.'),
      sort_direction: oneOf(['asc', 'desc'], 'The direction of the order by time.', { default: 'desc' }),
    },
    answers: gives('One page.', auditLogPage, {
      ...pageExample,
      _links: pageLinksExample('/audit-log/acme'),
      entries: [{ ...entry, names: {}, created_at: 1700000000 }],
    }),
  }),
  listEvents: route('GET', '/api/v2/events/{org}', {
    ...reads(tag, 'audit-log'),
    summary: 'Read events as CloudEvents',
    description:
      'Public events and administrative changes (`assurance.settings.changed.v1`) in the order in which they came. Send the `cursor` of the last answer that you stored: nothing is left out. An event may come again, with the same `id`. The schemas of the data are in `docs/reference/cloudevents`.',
    query: {
      cursor: feedCursor('From the last answer; not given or empty: from the first event.'),
      limit: integer('The most events of the answer.', { min: 1, max: 500, default: 100 }),
      type: names('Only events of this type; repeat the parameter for several.'),
    },
    answers: gives('Some events, and the cursor of the next request.', eventFeed, {
      events: [
        {
          specversion: '1.0',
          id: '0d6cbf2f25ab09dbbd0a4cf2b6a7be51',
          source: '/organizations/acme',
          type: 'assurance.settings.changed.v1',
          subject: 'environment/production',
          time: '2026-11-22T10:15:30.250Z',
          datacontenttype: 'application/json',
          partitionkey: 'acme',
          data: { organization: 'acme', ...entry },
        },
      ],
      cursor: '1.0.5f2c1e09ab34cd78',
      more: false,
      reset: false,
    }),
  }),
} as const;
