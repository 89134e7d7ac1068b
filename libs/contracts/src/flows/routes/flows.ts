import { gives, ok } from '../../http/answers/common';
import { examples } from '../../http/answers/examples';
import { reads, route, writes } from '../../http/route';
import { samples } from '../../http/routes/samples';
import { UNKNOWN } from '../../http/routes/unknown';
import { flowAnswer } from '../answers/flow';
import { ArtifactPostInput } from '../bodies/artifact';
import { FlowPutInput, FlowTemplateData } from '../bodies/flow';

const tag = 'Flows';
const putAnswers = { ...ok('It existed.'), ...ok('It was created.', 201) };

export const flowRoutes = {
  putFlow: route('PUT', '/api/v2/flows/{org}', {
    ...writes(tag, 'record'),
    summary: 'Create or update a flow, with a list as its template',
    description: 'The legacy form: the template is a list of attestation names and is returned as that list.',
    body: { kind: 'json', shape: FlowPutInput, example: samples.listFlow },
    answers: putAnswers,
  }),
  putFlowTemplateFile: route('PUT', '/api/v2/flows/{org}/template_file', {
    ...writes(tag, 'record'),
    summary: 'Create or update a flow, with a template file',
    description: 'Without a file an existing template is kept, and a new flow gets an empty one.',
    body: {
      kind: 'multipart',
      shape: FlowTemplateData,
      example: samples.flow,
      field: 'data_json',
      file: 'template_file',
    },
    answers: putAnswers,
  }),
  getFlow: route('GET', '/api/v2/flows/{org}/{flow}', {
    ...reads(tag),
    summary: 'Get a flow',
    description: 'One flow with its template.',
    answers: gives('The flow.', flowAnswer, examples.flow),
    errors: { 404: [UNKNOWN.flow] },
  }),
  postArtifact: route('POST', '/api/v2/artifacts/{org}/{flow}', {
    ...writes('Artifacts', 'record'),
    summary: 'Report an artifact',
    description:
      'Records the provenance of an artifact: flow, trail, commit, repository. Begins a new trail and records a new repository.',
    body: { kind: 'json', shape: ArtifactPostInput, example: samples.artifact, evidence: true },
    direct: true,
    answers: { ...ok('It was reported before.'), ...ok('It is new in this flow and trail.', 201) },
    errors: { 404: [UNKNOWN.flow] },
  }),
} as const;
