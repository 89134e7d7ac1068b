import { input } from '@assurance/kernel';
import { either, integer, oneOf, text } from '../shape';
import { body, withCheck, optional } from './body';
import { anyObject } from './words';

const METHOD_MAX = 256;
const ID_MAX = 256;

/** An id of JSON-RPC. */
const id = withCheck(either(text(undefined, { max: ID_MAX }), integer()), (value) => {
  const right = typeof value === 'string' ? value.length <= ID_MAX : Number.isSafeInteger(value);
  return right ? null : `Input should be a whole number or a short text ${input(value)}`;
});

/** A request or a notification of JSON-RPC. */
export const McpInput = body('McpInput', {
  jsonrpc: oneOf(['2.0']),
  id: optional(id),
  method: text(undefined, { min: 1, max: METHOD_MAX }),
  params: optional(anyObject()),
});
