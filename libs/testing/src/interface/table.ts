import { ENVIRONMENTS } from './environments';
import { FLOWS } from './flows';
import { OTHERS } from './others';
import type { Operation, Operations } from './operation';
import { type Shape, shapeOf } from './shape';
import { SHAPES } from './shapes';

/** The public interface that published clients use: all its operations. */
export const TABLE: Operations = { ...ENVIRONMENTS, ...FLOWS, ...OTHERS };

/** A query parameter. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly repeated: boolean;
}

export const parametersOf = ({ query = '' }: Operation): readonly Parameter[] =>
  query
    .split(' ')
    .filter((text) => text !== '')
    .map((text) => ({ name: text.replace(/[!*]$/, ''), required: text.endsWith('!'), repeated: text.endsWith('*') }));

/** A shape of the table. */
export const shape = (text: string): Shape => shapeOf(text, SHAPES);
