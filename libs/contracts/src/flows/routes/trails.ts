import { WHOLE_LIST_MAX } from '../../environments/answers/catalogue';
import { gives, ok } from '../../http/answers/common';
import { fingerprint, followed, positions } from '../../http/params';
import { INVALID, reads, route, writes } from '../../http/route';
import { UNKNOWN } from '../../http/routes/unknown';
import { flag, integer, text } from '../../http/shape';
import { flowTrails, trailAnswer, trailPage } from '../answers/trail';
import { trailExamples } from '../answers/trail-examples';
import { TrailPutInput } from '../bodies/origin';

const tag = 'Trails';
const complianceStatus = flag('It changes nothing: each trail has its `compliance_status`.', { default: true });
const paths = { trail: 'Name of the trail.' };

export const trailRoutes = {
  putTrail: route('PUT', '/api/v2/trails/{org}/{flow}', {
    ...writes(tag, 'record'),
    summary: 'Begin or update a trail',
    description:
      'Begins the trail, or updates it if it exists. Omitted fields keep their values. A template file replaces the flow’s template for this trail.',
    body: {
      kind: 'multipart',
      shape: TrailPutInput,
      example: { name: 'build-7', description: 'Sell tea', origin_url: 'https://ci.example.com/runs/7' },
      field: 'data_json',
      file: 'template_file',
      evidence: true,
    },
    answers: { ...ok('It existed.'), ...ok('The trail began.', 201) },
    errors: {
      400: [
        INVALID,
        '1 validation errors for Template\ntrail.artifacts.0.name: Field required (line 3, column 7)',
        "Flow named 'shop-web' has been archived: nothing new can be added to it",
      ],
      404: [UNKNOWN.flow],
    },
  }),
  listTrails: route('GET', '/api/v2/trails/{org}', {
    ...reads(tag),
    summary: 'List trails',
    description: 'Trails of the organization, newest first.',
    query: {
      ...followed('Trails', 20),
      flow: text('Only of this flow.'),
      fingerprint: fingerprint('Only trails in which this artifact was reported.'),
      flow_tag: text('Only of flows with this tag, `key=value`.'),
      compliance_status: complianceStatus,
    },
    answers: gives('One page.', trailPage, trailExamples.page, 200, 'Link'),
    errors: { 404: [UNKNOWN.flow] },
  }),
  listFlowTrails: route('GET', '/api/v2/trails/{org}/{flow}', {
    ...reads(tag),
    summary: 'List trails of a flow',
    description: `Newest first. Without \`page\` and \`per_page\` the answer is a plain list of at most ${WHOLE_LIST_MAX}. If there are more, the header \`X-Total-Count\` has their number.`,
    query: {
      page: integer('Number of the page.', { min: 1 }),
      per_page: integer('Trails per page; 50 when only `page` is given.', { min: 1, max: 100 }),
      ...positions,
      compliance_status: complianceStatus,
    },
    answers: gives('The list.', flowTrails, trailExamples.page, 200, 'X-Total-Count', 'Link'),
    errors: { 404: [UNKNOWN.flow] },
  }),
  getTrail: route('GET', '/api/v2/trails/{org}/{flow}/{trail}', {
    ...reads(tag),
    summary: 'Get a trail',
    description: 'One trail with its template, missing attestations and events.',
    paths,
    answers: gives('The trail.', trailAnswer, trailExamples.trail),
    errors: { 404: [UNKNOWN.flow, UNKNOWN.trail] },
  }),
} as const;
