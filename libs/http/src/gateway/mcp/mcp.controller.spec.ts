import type { Settings } from '@assurance/event-sourcing/tokens';
import { RefusalError } from '../../refusals';
import type { InternalRequests } from '../own-requests';
import { McpController } from './mcp.controller';

const REFUSED = new RefusalError({ kind: 'share-taken', whose: 'caller', of: 'requests', limit: 20 });

describe('questions of assistants', () => {
  it('are refused when twenty of the caller wait, while those of others are answered', async () => {
    const controller = new McpController({} as InternalRequests, { publicUrl: 'https://assurance.test' } as Settings);
    const ask = (id: string) => {
      const call = { principal: { id }, correlation: id, body: { jsonrpc: '2.0', id: 1, method: 'ping' } };
      const headers = { authorization: 'Bearer key', accept: 'application/json, text/event-stream' };
      return controller.ask(call as never, { headers, ip: '127.0.0.1' } as never);
    };
    const all = Array.from({ length: 21 }, () => ask('ada'));
    await expect(ask('ada')).rejects.toEqual(REFUSED);
    const other = ask('bob');
    expect((await Promise.all([...all, other])).map(({ status }) => status)).toEqual(Array(22).fill(200));
  });
});
