import { pageExample, pageFields } from '../../http/answers/common';
import { component, flag, list, number, type TypeOf, text } from '../../http/shape';

const place = {
  id: text(),
  name: text(),
  parent_id: text('Id of its space; `root` for the root.'),
};

/** The answer to the creation of a space. */
export const spaceMadeAnswer = component('SpaceMade', place);

export const spaceAnswer = component('Space', {
  ...place,
  path: list(text(), 'Names of the spaces from the root to this one, with its own name.'),
  archived: flag(),
  created_by: text('Name of the user or service account.'),
  created_at: number('Epoch seconds.'),
  last_modified_at: number('Epoch seconds.'),
});
export type SpaceAnswer = TypeOf<typeof spaceAnswer>;

/** A page with its counts beside the list: the third shape of pages in the API. */
export const spacePage = component('SpacePage', {
  ...pageFields,
  spaces: list(spaceAnswer),
});
export type SpacePage = TypeOf<typeof spacePage>;

export const spaceExample: SpaceAnswer = {
  id: '018bcfe5-6800-7000-8000-000000000009',
  name: 'Payments',
  parent_id: 'root',
  path: ['Payments'],
  archived: false,
  created_by: 'ada',
  created_at: 1700000000.5,
  last_modified_at: 1700000000.5,
};

export const spacePageExample: SpacePage = {
  ...pageExample,
  spaces: [spaceExample],
};
