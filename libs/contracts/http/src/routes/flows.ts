import { examples, flowAnswer, okAnswer } from '../answers';
import { ArtifactPostInput, FlowPutInput, FlowTemplateData } from '../bodies';
import { route } from '../route';
import { samples } from './samples';

const tag = 'Flows';
const unknown = { 404: ["Flow named 'shop-web' does not exist for organization 'acme'"] };
const made = {
  200: { description: 'It existed.', shape: okAnswer, example: 'OK' },
  201: { description: 'It was created.', shape: okAnswer, example: 'OK' },
};

export const flowRoutes = {
  putFlow: route({
    id: 'putFlow',
    method: 'PUT',
    path: '/api/v2/flows/{org}',
    owner: 'ingestion',
    permission: 'record',
    tag,
    summary: 'Create or update a flow, with a list as its template',
    description: 'The legacy form: the template is a list of attestation names and is returned as that list.',
    body: { kind: 'json', dto: FlowPutInput, example: samples.listFlow },
    answers: made,
  }),
  putFlowTemplateFile: route({
    id: 'putFlowTemplateFile',
    method: 'PUT',
    path: '/api/v2/flows/{org}/template_file',
    owner: 'ingestion',
    permission: 'record',
    tag,
    summary: 'Create or update a flow, with a template file',
    description: 'Without a file an existing template is kept, and a new flow gets an empty one.',
    body: {
      kind: 'multipart',
      dto: FlowTemplateData,
      example: samples.flow,
      field: 'data_json',
      file: 'template_file',
    },
    answers: made,
  }),
  getFlow: route({
    id: 'getFlow',
    method: 'GET',
    path: '/api/v2/flows/{org}/{flow}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'Get a flow',
    description: 'One flow with its template.',
    answers: { 200: { description: 'The flow.', shape: flowAnswer, example: examples.flow } },
    errors: unknown,
  }),
  postArtifact: route({
    id: 'postArtifact',
    method: 'POST',
    path: '/api/v2/artifacts/{org}/{flow}',
    owner: 'ingestion',
    permission: 'record',
    tag: 'Artifacts',
    summary: 'Report an artifact',
    description:
      'Records the provenance of an artifact: flow, trail, commit, repository. Begins a new trail and records a new repository.',
    body: { kind: 'json', dto: ArtifactPostInput, example: samples.artifact },
    answers: {
      200: { description: 'It was reported before.', shape: okAnswer, example: 'OK' },
      201: { description: 'It is new in this flow and trail.', shape: okAnswer, example: 'OK' },
    },
    errors: unknown,
  }),
} as const;
