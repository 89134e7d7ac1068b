import type { RequestParts } from './caller';
import type { Answer } from './contract';
import type { World } from './world';

/** Keeps a session's cookie and calls as a page of the service does. */
export class Browser {
  constructor(
    private readonly world: Pick<World, 'withHeader'>,
    /** `name=value`; empty before signing in and after signing out. */
    public cookie = '',
  ) {}

  /** Signs in with a key, which has to be right. @returns the whole `Set-Cookie` */
  async signIn(key: string): Promise<string> {
    const answer = await this.tried(key);
    if (answer.status !== 201) throw new Error(`signing in answered ${answer.status}: ${answer.text}`);
    return answer.headers.get('set-cookie') ?? '';
  }

  tried(key: string): Promise<Answer> {
    return this.request(this.world.withHeader(`Bearer ${key}`), 'POST', '/session');
  }

  /** @param headers beside or in the place of a page's own */
  send(method: string, path: string, sent: RequestParts = {}): Promise<Answer> {
    return this.request(this.world.withHeader(null), method, path, sent);
  }

  async status(method: string, path: string, sent?: RequestParts): Promise<number> {
    return (await this.send(method, path, sent)).status;
  }

  private async request(
    caller: ReturnType<World['withHeader']>,
    method: string,
    path: string,
    sent: RequestParts = {},
  ) {
    const { headers } = sent;
    const own = { 'x-assurance-page': '1', ...(this.cookie === '' ? {} : { cookie: this.cookie }) };
    const answer = await caller.send(method, path, { ...sent, headers: { ...own, ...headers } });
    const set = answer.headers.get('set-cookie');
    if (set !== null) this.cookie = /^[^;]*;? Max-Age=0/.test(set) ? '' : (set.split(';')[0] ?? '');
    return answer;
  }
}
