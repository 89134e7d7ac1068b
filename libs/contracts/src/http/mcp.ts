import { McpInput } from './bodies/mcp';
import { route } from './route';
import { object } from './shape';

/** The Model Context Protocol, for AI assistants. It is not part of the API, so it is not in the route table. */
export const mcp = route('POST', '/mcp', {
  id: 'mcp',
  owner: 'gateway',
  permission: 'self',
  tag: 'Assistants',
  summary: 'Send a question of an assistant',
  description: 'The Model Context Protocol over streamable HTTP, without sessions.',
  body: { kind: 'json', shape: McpInput, example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  answers: { 200: { description: 'The answer of JSON-RPC.', shape: object({}), example: {} } },
});
