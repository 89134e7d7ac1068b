import { body } from '../../http/bodies/body';
import { Doc, Optional, Text } from '../../http/bodies/rules';
import { PATTERNS } from '../../http/patterns';

const SPACE_NAME_MAX = 100;

/** `PUT /spaces/{org}`. */
export const SpacePutInput = body('SpacePutInput', {
  name: [
    Doc('The name, unique within its parent.', 'Payments'),
    Text({ pattern: PATTERNS.space, max: SPACE_NAME_MAX }),
  ],
  parent_id: [Doc('Id of its space; default: the root.', 'root'), Optional(Text())],
});

/** `PUT /spaces/{org}/{space}/rename`. */
export const SpaceRenameInput = body('SpaceRenameInput', {
  new_name: [Doc('The new name.', 'Billing'), Text({ pattern: PATTERNS.space, max: SPACE_NAME_MAX })],
});

/** `PUT /spaces/{org}/{space}/move`. */
export const SpaceMoveInput = body('SpaceMoveInput', {
  parent_id: [Doc('Id of the target space; `root` for the root.', 'root'), Text()],
});

/** `PUT /environments/{org}/{env}/move` and `PUT /flows/{org}/{flow}/move`. */
export const MoveInput = body('MoveInput', {
  space_id: [Doc('Id of the target space; `root` for the root.', 'root'), Text()],
});
