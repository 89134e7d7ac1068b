import { PATTERNS } from '../patterns';
import { body } from './body';
import { NAME_MAX } from './limits';
import { originFields } from './origin';
import { Doc, Text } from './rules';

/** The `data_json` of `PUT /trails/{org}/{flow}`. */
export const TrailPutInput = body('TrailPutInput', {
  name: [Doc('Name of the trail, unique in the flow.', 'build-7'), Text({ pattern: PATTERNS.trail, max: NAME_MAX })],
  ...originFields,
});
export type TrailPutInput = InstanceType<typeof TrailPutInput>;
