import { gives, ok } from '../../http/answers/common';
import { reads, route, writes } from '../../http/route';
import { integer, list } from '../../http/shape';
import {
  attestationTypeAnswer,
  attestationTypeExample,
  attestationTypeListItem,
  attestationTypesExample,
} from '../answers/attestation-type';
import { AttestationTypeData } from '../bodies/attestation-type';

const tag = 'Attestation types';
const paths = { name: 'Name of the type.' };
const unknown = "Custom attestation type 'coverage' does not exist for org 'acme'";

/** Custom attestation types. */
export const attestationTypeRoutes = {
  postAttestationType: route('POST', '/api/v2/custom-attestation-types/{org}', {
    ...writes(tag, 'record'),
    summary: 'Create a custom attestation type, or a version of it',
    description:
      'The data of attestations of this type must be valid for the JSON schema (draft 4, 6, 7, 2019-09 or 2020-12, at most 1 MiB, no references beyond itself), and each rule, a jq program, must yield true for it. An existing name gets a new version, at most 200; an archived type is restored.',
    body: {
      kind: 'multipart',
      shape: AttestationTypeData,
      example: {
        name: 'coverage',
        description: 'Coverage of unit tests',
        evaluator: { content_type: 'jq', rules: ['.coverage >= 80'] },
        summary: [{ name: 'Coverage', expression: '.coverage' }],
      },
      field: 'data_json',
      file: 'type_schema',
    },
    answers: ok('The version was created.', 201),
  }),
  listAttestationTypes: route('GET', '/api/v2/custom-attestation-types/{org}', {
    ...reads(tag),
    summary: 'List custom attestation types',
    description: 'Types that are not archived, ordered by name: at most 1,000.',
    answers: gives('The types.', list(attestationTypeListItem), attestationTypesExample),
  }),
  getAttestationType: route('GET', '/api/v2/custom-attestation-types/{org}/{name}', {
    ...reads(tag),
    summary: 'Get a custom attestation type',
    description: 'One type with all its versions or one of them, also an archived type.',
    paths,
    query: { version: integer('Only this version.', { min: 0 }) },
    answers: gives('The type.', attestationTypeAnswer, attestationTypeExample),
    errors: { 404: [unknown, "version 10 does not exist for custom attestation type 'coverage'"] },
  }),
  archiveAttestationType: route('PUT', '/api/v2/custom-attestation-types/{org}/{name}/archive', {
    ...writes(tag, 'record'),
    summary: 'Archive a custom attestation type',
    description: 'Hides the type from the list. Its attestations stay. Creating a type of its name restores it.',
    paths,
    answers: ok('It is archived.'),
    errors: { 404: [unknown] },
  }),
} as const;
