import { input } from '@assurance/kernel';
import { FreeObject, Optional, Parts, Text, Word } from './rules';

const METHOD_MAX = 256;
const ID_MAX = 256;

/** Text or a whole number, as JSON-RPC has it. */
function idErrors(value: unknown): Readonly<Record<string, string>> {
  const right = typeof value === 'string' ? value.length <= ID_MAX : Number.isSafeInteger(value);
  return right ? {} : { '': `Input should be a whole number or a short text ${input(value)}` };
}

/** A request or a notification of JSON-RPC. */
export class McpInput {
  @Word(['2.0'])
  jsonrpc!: '2.0';

  @Optional(Parts(idErrors, { anyOf: [{ type: 'string', maxLength: ID_MAX }, { type: 'integer' }] }))
  id?: string | number;

  @Text({ min: 1, max: METHOD_MAX })
  method!: string;

  @Optional(FreeObject())
  params?: Readonly<Record<string, unknown>>;
}
