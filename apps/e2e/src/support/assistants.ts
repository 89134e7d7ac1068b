import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RunningService } from './running';

/** The limit of an answer to an assistant with what frames it (bytes). */
const ANSWER_MAX = 100 * 1024;

export type Json = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  readonly page: string | null;
  readonly data: Json;
  readonly cut: readonly { readonly path: string; readonly shown: number; readonly of: number }[];
}

/** Assistants with the SDK's own client. Each request goes to another gateway. */
export class Assistants {
  private turn = 0;
  private readonly clients: Client[] = [];

  constructor(private readonly running: RunningService) {}

  next(): string {
    const urls = this.running.urls ?? [this.running.url];
    return urls[this.turn++ % urls.length] ?? this.running.url;
  }

  async with(key: string): Promise<Client> {
    const transport = new StreamableHTTPClientTransport(new URL(`${this.running.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: (request, init) => fetch(`${this.next()}${new URL(String(request)).pathname}`, init),
    });
    const client = new Client({ name: 'spec', version: '1' });
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the SDK's own types disagree about what may be left out
    await client.connect(transport as any);
    this.clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
  }
}

/** Calls a tool. */
export async function call(client: Client, name: string, input: Json) {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [first] = content as readonly { readonly type: string; readonly text: string }[];
  expect(Buffer.byteLength(first?.text ?? '')).toBeLessThanOrEqual(ANSWER_MAX);
  return { told: JSON.parse(first?.text ?? '') as ToolAnswer, isError };
}
