import { input } from '@assurance/kernel';
import { body } from './body';
import { AnyObject, Optional, Parts, Text, Word } from './rules';

const METHOD_MAX = 256;
const ID_MAX = 256;

/** Checks an id of JSON-RPC: text or a whole number. */
function idErrors(value: unknown): Readonly<Record<string, string>> {
  const right = typeof value === 'string' ? value.length <= ID_MAX : Number.isSafeInteger(value);
  return right ? {} : { '': `Input should be a whole number or a short text ${input(value)}` };
}

/** A request or a notification of JSON-RPC. */
export const McpInput = body('McpInput', {
  jsonrpc: Word(['2.0']),
  id: Optional(Parts(idErrors, { anyOf: [{ type: 'string', maxLength: ID_MAX }, { type: 'integer' }] })),
  method: Text({ min: 1, max: METHOD_MAX }),
  params: Optional(AnyObject()),
});
