import { keyOf } from '../../support/declared';
import { environment } from '../../support/samples';
import type { Attack } from '../attack';

const AT_ONCE = 50;
const QUESTIONS = 300;
const NAMES = 12;

/** An assistant of one key that never stops asking: lists, details, searches, tools that do not exist, and arguments that are none. */
export const attack: Attack = {
  name: `an assistant asks ${QUESTIONS} questions, ${AT_ONCE} at once`,
  async prepare(target) {
    const member = target.as('member');
    const envs: string[] = [];
    for (let i = 0; i < NAMES; i += 1) envs.push(await environment(member));
    const ask = async (method: string, params: object): Promise<Response> =>
      fetch(`${target.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${keyOf('member')}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
    return {
      run: async () => {
        // The first question of a process loads a library.
        const listed = (await (await ask('tools/list', {})).json()) as {
          readonly result: { readonly tools: readonly { readonly name: string }[] };
        };
        const names = listed.result.tools.map(({ name }) => name);
        if (names.length === 0) throw new Error('there are no tools');
        const calls = [...names, 'no-such-tool'].flatMap((name) => [
          { name, arguments: { org: 'acme', environment: envs[0], name: envs[0], query: 'env', contains: 'env' } },
          { name, arguments: { org: 'other' } },
          { name, arguments: { org: ['x'.repeat(10_000)] } },
        ]);
        let count = 0;
        const assistant = async () => {
          while (count < QUESTIONS) {
            const answer = await ask('tools/call', calls[count++ % calls.length] ?? {});
            await answer.text();
            if (![200, 429].includes(answer.status)) throw new Error(`a question was answered ${answer.status}`);
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, assistant));
      },
    };
  },
};
