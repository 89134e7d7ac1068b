import { anything, component, integer, list, map, type TypeOf, text } from '../../http/shape';

/** A built-in type of attestations. */
export const systemAttestationType = component('SystemAttestationType', {
  name: text('As in `attestation_type`.'),
  versions: list(
    component('SystemAttestationTypeVersion', {
      version: integer('From 1.'),
      type_schema: map(anything(), 'The JSON schema of the data of its attestations.'),
    }),
    'Newest first.',
  ),
});
export type SystemAttestationTypeAnswer = TypeOf<typeof systemAttestationType>;

export const systemAttestationTypesExample: readonly SystemAttestationTypeAnswer[] = [
  {
    name: 'decision',
    versions: [
      {
        version: 1,
        type_schema: { type: 'object', properties: { is_compliant: { type: 'boolean' } }, required: ['is_compliant'] },
      },
    ],
  },
];
