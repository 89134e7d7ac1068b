import { route } from './route';
import { text } from './shape';

/** Files that the pages load. They are not part of the API, so the route is not in the route table. */
export const pageAsset = route('GET', '/assets/{file...}', {
  id: 'pageAsset',
  owner: 'gateway',
  permission: 'public',
  tag: 'Pages',
  summary: 'A file of the pages',
  description: 'Its name changes with its content.',
  answers: { 200: { description: 'The file.', shape: text(), example: '' } },
});
