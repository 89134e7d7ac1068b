import { gives, ok } from '../../http/answers/common';
import { INVALID, reads, route, writes } from '../../http/route';
import { UNKNOWN } from '../../http/routes/unknown';
import { retentionAnswer, retentionExample } from '../answers/retention';
import { HoldInput, RetentionInput } from '../bodies/retention';

const tag = 'Retention';
const trail = { trail: 'Name of the trail.' };
const unknownTrail = "Trail with name 'build-17' does not exist for Organization 'acme' and Flow 'shop-web'";
const holdRoute = {
  body: { kind: 'json', shape: HoldInput, example: { reason: 'Case 2026-17' } },
  answers: ok('It is held.'),
} as const;
const tooMany = 'An organization has at most 1000 holds. Release one, or hold a whole flow';

/** Retention rules and legal holds of an organization. Administrators change them; auditors see them too. */
export const retentionRoutes = {
  putRetention: route('PUT', '/api/v2/retention/{org}', {
    ...writes(tag, 'organization'),
    summary: 'Set the retention',
    description:
      'After how many days attachments, payloads of attestations and full states of snapshots are dropped. A field that is left out means never. What was recorded about them stays: who attested what, when, with which result, and the digests.',
    body: { kind: 'json', shape: RetentionInput, example: { attachments_days: 3650, payloads_days: 1825 } },
    answers: ok('It is set. Data is dropped by the next run, within about two hours.'),
  }),
  getRetention: route('GET', '/api/v2/retention/{org}', {
    ...reads(tag, 'organization.read'),
    summary: 'Get the retention',
    description: 'The rules, the legal holds, and what was dropped.',
    answers: gives('The retention.', retentionAnswer, retentionExample),
  }),
  holdFlow: route('PUT', '/api/v2/retention/{org}/holds/{flow}', {
    ...writes(tag, 'organization'),
    ...holdRoute,
    summary: 'Place a legal hold on a flow',
    description:
      'Nothing of the flow’s trails is removed until the hold is released, not even what is dropped but still there. Removed data does not return: `GET /retention/{org}` and the attestations say what is gone.',
    errors: { 400: [tooMany, INVALID], 404: [UNKNOWN.flow] },
  }),
  holdTrail: route('PUT', '/api/v2/retention/{org}/holds/{flow}/{trail}', {
    ...writes(tag, 'organization'),
    ...holdRoute,
    summary: 'Place a legal hold on a trail',
    description: 'As for a flow, of one trail.',
    paths: trail,
    errors: { 400: [tooMany, INVALID], 404: [UNKNOWN.flow, unknownTrail] },
  }),
  releaseFlow: route('DELETE', '/api/v2/retention/{org}/holds/{flow}', {
    ...writes(tag, 'organization'),
    summary: 'Release the legal hold of a flow',
    description: 'The retention applies to its trails again. Holds of its trails stay.',
    answers: ok('It is released.'),
    errors: { 404: [UNKNOWN.flow, "There is no hold on 'shop-web'"] },
  }),
  releaseTrail: route('DELETE', '/api/v2/retention/{org}/holds/{flow}/{trail}', {
    ...writes(tag, 'organization'),
    summary: 'Release the legal hold of a trail',
    description: 'The retention applies to the trail again, unless its flow is held.',
    paths: trail,
    answers: ok('It is released.'),
    errors: { 404: [UNKNOWN.flow, unknownTrail, "There is no hold on 'shop-web/build-17'"] },
  }),
} as const;
