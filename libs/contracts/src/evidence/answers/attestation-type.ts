import {
  anything,
  component,
  flag,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  type TypeOf,
  oneOf,
  text,
} from '../../http/shape';

const versionFields = {
  version: integer('From 1.'),
  timestamp: number('Epoch seconds.'),
  created_by: text('Name of the user or service account.'),
};

export const attestationTypeVersion = component('AttestationTypeVersion', {
  ...versionFields,
  type_schema: nullable(map(anything(), 'A JSON schema; null if any data is valid.')),
  evaluator: nullable(object({ content_type: oneOf(['jq']), rules: list(text()) })),
  summary: nullable(list(object({ name: text(), expression: text() }))),
});
export type AttestationTypeVersionAnswer = TypeOf<typeof attestationTypeVersion>;

const fields = { name: text(), org: text(), archived: flag() };
const life = {
  created_by: text('Name of the user or service account.'),
  created_at: number('Epoch seconds.'),
  last_modified_at: number('Epoch seconds.'),
};
const description = text('Absent if there is none.');

/** If one version is requested, the answer leaves out who made the type and when. */
export const attestationTypeAnswer = component(
  'AttestationType',
  { ...fields, versions: list(attestationTypeVersion, 'Newest first.') },
  { description, ...life },
);
export type AttestationTypeAnswer = TypeOf<typeof attestationTypeAnswer>;

/** It leaves out the schemas of all versions, because their total size has no limit. */
export const attestationTypeListItem = component(
  'AttestationTypeListItem',
  {
    ...fields,
    ...life,
    versions: list(
      object(versionFields),
      'All versions, newest first. The answer for one type has their schemas and rules.',
    ),
  },
  { description },
);
export type AttestationTypeListItem = TypeOf<typeof attestationTypeListItem>;

const type = {
  name: 'coverage',
  org: 'acme',
  archived: false,
  description: 'Coverage of unit tests',
  created_by: 'ada',
  created_at: 1700000000.5,
  last_modified_at: 1700000000.5,
};
const version = { version: 1, timestamp: 1700000000.5, created_by: 'ada' };

export const attestationTypeExample: AttestationTypeAnswer = {
  ...type,
  versions: [
    {
      ...version,
      type_schema: { properties: { coverage: { type: 'number' } }, required: ['coverage'], type: 'object' },
      evaluator: { content_type: 'jq', rules: ['.coverage >= 80'] },
      summary: [{ name: 'Coverage', expression: '.coverage' }],
    },
  ],
};

export const attestationTypesExample: readonly AttestationTypeListItem[] = [{ ...type, versions: [version] }];
