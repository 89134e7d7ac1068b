import type { ServerResponse } from 'node:http';
import type { Outcome, Progress } from '@assurance/event-sourcing/operation';
import type { AdminCommands } from './admin-commands';
import { throttle } from './throttle';

const EVERY_MS = 250;

/** One line of the answer to a run: first any number of progress lines, then the outcome or the error. */
export type RunLine = { readonly progress: Progress } | { readonly outcome: Outcome } | { readonly error: string };

/** Runs an operation and answers with lines of JSON. The operation stops if the caller disconnects. */
export async function streamRun(
  commands: AdminCommands,
  name: string,
  args: readonly string[],
  response: ServerResponse,
): Promise<void> {
  const disconnect = new AbortController();
  response.on('close', () => disconnect.abort());
  const line = (news: RunLine) => void response.write(`${JSON.stringify(news)}\n`);
  response.writeHead(200, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.flushHeaders();
  const { report, flush } = throttle((progress) => line({ progress }), EVERY_MS);
  const result = await commands.run(name, args, report, disconnect.signal);
  flush();
  line(result);
  response.end();
}
