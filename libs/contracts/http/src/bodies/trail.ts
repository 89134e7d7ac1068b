import { PATTERNS } from '../patterns';
import { NAME_MAX } from './limits';
import { OriginInput } from './origin';
import { Doc, Text } from './rules';

/** The `data_json` of `PUT /trails/{org}/{flow}`. */
export class TrailPutInput extends OriginInput {
  @Doc('Name of the trail, unique in the flow.', 'build-7')
  @Text({ pattern: PATTERNS.trail, max: NAME_MAX })
  name!: string;
}
