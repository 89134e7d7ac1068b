import { okAnswer, trailAnswer, trailExamples, trailListItem, trailPage } from '../answers';
import { TrailPutInput } from '../bodies';
import { flag, integer, text } from '../params';
import { INVALID, route } from '../route';
import { list } from '../shape';

const tag = 'Trails';
const unknown = "Flow named 'shop-web' does not exist for organization 'acme'";
const complianceStatus = flag('With `true`, each trail has its `compliance_status`, as in the answer of one trail.');
const paths = { trail: 'Name of the trail.' };

export const trailRoutes = {
  putTrail: route({
    id: 'putTrail',
    method: 'PUT',
    path: '/api/v2/trails/{org}/{flow}',
    owner: 'ingestion',
    permission: 'record',
    tag,
    summary: 'Begin or update a trail',
    description:
      'Begins the trail, or updates it if it exists. Omitted fields keep their values. A template file replaces the flow’s template for this trail.',
    body: {
      kind: 'multipart',
      dto: TrailPutInput,
      example: { name: 'build-7', description: 'Sell tea', origin_url: 'https://ci.example.com/runs/7' },
      field: 'data_json',
      file: 'template_file',
    },
    answers: {
      200: { description: 'It existed.', shape: okAnswer, example: 'OK' },
      201: { description: 'The trail began.', shape: okAnswer, example: 'OK' },
    },
    errors: {
      400: [
        INVALID,
        '1 validation errors for Template\ntrail.artifacts.0.name: Field required (line 3, column 7)',
        "Flow named 'shop-web' has been archived: nothing new can be added to it",
      ],
      404: [unknown],
    },
  }),
  listTrails: route({
    id: 'listTrails',
    method: 'GET',
    path: '/api/v2/trails/{org}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'List trails',
    description: 'Trails of the organization, newest first.',
    query: {
      page: integer({ min: 1, default: 1, description: 'Number of the page.' }),
      per_page: integer({ min: 1, max: 100, default: 20, description: 'Trails per page.' }),
      flow: text({ description: 'Only of this flow.', empty: 'absent' }),
      fingerprint: text({ description: 'Only trails in which this artifact was reported.', empty: 'absent' }),
      flow_tag: text({ description: 'Only of flows with this tag, `key=value`.', empty: 'absent' }),
      compliance_status: complianceStatus,
    },
    answers: { 200: { description: 'One page.', shape: trailPage, example: trailExamples.page } },
    errors: { 404: [unknown] },
  }),
  listFlowTrails: route({
    id: 'listFlowTrails',
    method: 'GET',
    path: '/api/v2/trails/{org}/{flow}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'List trails of a flow',
    description: 'The legacy form, as a plain list, newest first.',
    query: {
      page: integer({ min: 1, default: 1, description: 'Number of the page.' }),
      per_page: integer({ min: 1, max: 100, default: 50, description: 'Trails per page.' }),
      compliance_status: complianceStatus,
    },
    answers: { 200: { description: 'One page.', shape: list(trailListItem), example: [trailExamples.item] } },
    errors: { 404: [unknown] },
  }),
  getTrail: route({
    id: 'getTrail',
    method: 'GET',
    path: '/api/v2/trails/{org}/{flow}/{trail}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'Get a trail',
    description: 'One trail with its template, missing attestations and events.',
    paths,
    answers: { 200: { description: 'The trail.', shape: trailAnswer, example: trailExamples.trail } },
    errors: {
      404: [unknown, "Trail with name 'build-7' does not exist for Organization 'acme' and Flow 'shop-web'"],
    },
  }),
} as const;
