import { PATTERNS } from '../patterns';
import { Doc, Optional, Text } from './rules';

const SPACE_NAME_MAX = 100;

/** `PUT /spaces/{org}`. */
export class SpacePutInput {
  @Doc('What it is called, unique beside the other spaces of its parent.', 'Payments')
  @Text({ pattern: PATTERNS.space, max: SPACE_NAME_MAX })
  name!: string;

  @Doc('Id of the space that it is in; the root unless given.', 'root')
  @Optional()
  @Text()
  parent_id?: string;
}

/** `PUT /spaces/{org}/{space}/rename`. */
export class SpaceRenameInput {
  @Doc('The name from now on.', 'Billing')
  @Text({ pattern: PATTERNS.space, max: SPACE_NAME_MAX })
  new_name!: string;
}

/** `PUT /spaces/{org}/{space}/move`. */
export class SpaceMoveInput {
  @Doc('Id of the space that it goes to; `root` for the root.', 'root')
  @Text()
  parent_id!: string;
}

/** `PUT /environments/{org}/{env}/move` and `PUT /flows/{org}/{flow}/move`. */
export class MoveInput {
  @Doc('Id of the space that it goes to; `root` for the root.', 'root')
  @Text()
  space_id!: string;
}
