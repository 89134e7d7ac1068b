import {
  attestationTypeAnswer,
  attestationTypeExample,
  attestationTypeListItem,
  attestationTypesExample,
  okAnswer,
} from '../answers';
import { AttestationTypeData } from '../bodies';
import { optionalInteger } from '../params';
import { route } from '../route';
import { list } from '../shape';

const tag = 'Attestation types';
const paths = { name: 'Name of the type.' };
const unknown = "Custom attestation type 'coverage' does not exist for org 'acme'";

/** Custom attestation types. */
export const attestationTypeRoutes = {
  postAttestationType: route({
    id: 'postAttestationType',
    method: 'POST',
    path: '/api/v2/custom-attestation-types/{org}',
    owner: 'ingestion',
    permission: 'record',
    tag,
    summary: 'Create a custom attestation type, or a version of it',
    description:
      'What attestations of this type carry is held to the JSON schema (draft 7 or 2020-12, at most 128 KiB) and to the rules: programs in jq, each of which must yield true. A name that is there gets a new version, at most 200; an archived type comes back.',
    body: {
      kind: 'multipart',
      dto: AttestationTypeData,
      example: {
        name: 'coverage',
        description: 'Coverage of unit tests',
        evaluator: { content_type: 'jq', rules: ['.coverage >= 80'] },
        summary: [{ name: 'Coverage', expression: '.coverage' }],
      },
      field: 'data_json',
      file: 'type_schema',
    },
    answers: { 201: { description: 'The version was made.', shape: okAnswer, example: 'OK' } },
  }),
  listAttestationTypes: route({
    id: 'listAttestationTypes',
    method: 'GET',
    path: '/api/v2/custom-attestation-types/{org}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'List custom attestation types',
    description: 'Those that are not archived, ordered by name: at most 1,000.',
    answers: {
      200: { description: 'The types.', shape: list(attestationTypeListItem), example: attestationTypesExample },
    },
  }),
  getAttestationType: route({
    id: 'getAttestationType',
    method: 'GET',
    path: '/api/v2/custom-attestation-types/{org}/{name}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'Get a custom attestation type',
    description: 'One type with all its versions or one of them, archived types too.',
    paths,
    query: { version: optionalInteger({ min: 0, description: 'This version alone.' }) },
    answers: { 200: { description: 'The type.', shape: attestationTypeAnswer, example: attestationTypeExample } },
    errors: { 404: [unknown, "version 10 does not exist for custom attestation type 'coverage'"] },
  }),
  archiveAttestationType: route({
    id: 'archiveAttestationType',
    method: 'PUT',
    path: '/api/v2/custom-attestation-types/{org}/{name}/archive',
    owner: 'ingestion',
    permission: 'record',
    tag,
    summary: 'Archive a custom attestation type',
    description: 'It is hidden from the list; what was attested stays. Creating a type of its name brings it back.',
    paths,
    answers: { 200: { description: 'It is archived.', shape: okAnswer, example: 'OK' } },
    errors: { 404: [unknown] },
  }),
} as const;
