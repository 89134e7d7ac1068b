import { PATTERNS } from '../patterns';
import { Doc, Optional, Text } from './rules';

const SPACE_NAME_MAX = 100;

/** `PUT /spaces/{org}`. */
export class SpacePutInput {
  @Doc('The name, unique within its parent.', 'Payments')
  @Text({ pattern: PATTERNS.space, max: SPACE_NAME_MAX })
  name!: string;

  @Doc('Id of its space; default: the root.', 'root')
  @Optional(Text())
  parent_id?: string;
}

/** `PUT /spaces/{org}/{space}/rename`. */
export class SpaceRenameInput {
  @Doc('The new name.', 'Billing')
  @Text({ pattern: PATTERNS.space, max: SPACE_NAME_MAX })
  new_name!: string;
}

/** `PUT /spaces/{org}/{space}/move`. */
export class SpaceMoveInput {
  @Doc('Id of the target space; `root` for the root.', 'root')
  @Text()
  parent_id!: string;
}

/** `PUT /environments/{org}/{env}/move` and `PUT /flows/{org}/{flow}/move`. */
export class MoveInput {
  @Doc('Id of the target space; `root` for the root.', 'root')
  @Text()
  space_id!: string;
}
