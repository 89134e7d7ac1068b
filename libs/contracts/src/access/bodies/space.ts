import { body, optional } from '../../http/bodies/body';
import { PATTERNS } from '../../http/patterns';
import { text } from '../../http/shape';

const SPACE_NAME_MAX = 100;

/** `PUT /spaces/{org}`. */
export const SpacePutInput = body('SpacePutInput', {
  name: text('The name, unique within its parent.', {
    pattern: PATTERNS.space,
    max: SPACE_NAME_MAX,
    example: 'Payments',
  }),
  parent_id: optional(text('Id of its space; default: the root.', { example: 'root' })),
});

/** `PUT /spaces/{org}/{space}/rename`. */
export const SpaceRenameInput = body('SpaceRenameInput', {
  new_name: text('The new name.', { pattern: PATTERNS.space, max: SPACE_NAME_MAX, example: 'Billing' }),
});

/** `PUT /spaces/{org}/{space}/move`. */
export const SpaceMoveInput = body('SpaceMoveInput', {
  parent_id: text('Id of the target space; `root` for the root.', { example: 'root' }),
});

/** `PUT /environments/{org}/{env}/move` and `PUT /flows/{org}/{flow}/move`. */
export const MoveInput = body('MoveInput', {
  space_id: text('Id of the target space; `root` for the root.', { example: 'root' }),
});
