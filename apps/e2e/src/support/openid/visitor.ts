/** Addresses of one place, with the cookies that it set. */
class Jar {
  readonly cookies = new Map<string, string>();

  async ask(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(set)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}

const STEPS_MAX = 20;

/** A browser, as far as redirects, cookies and plain forms go: it signs in at a service by a provider. */
export class Visitor {
  readonly service = new Jar();
  private readonly provider = new Jar();
  private turn = 0;

  /**
   * @param publicUrl of the service
   * @param gateways where it is reached indeed: each request goes to the next one
   * @param headers of all requests to the service
   */
  constructor(
    private readonly publicUrl: string,
    private readonly gateways: readonly string[],
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Asks the service. @param path below the public URL */
  ask(path: string, init: RequestInit = {}): Promise<Response> {
    const gateway = this.gateways[this.turn++ % this.gateways.length] ?? '';
    return this.service.ask(`${gateway}${path}`, { ...init, headers: { ...this.headers, ...init.headers } });
  }

  /** Asks the API as a page does. */
  async api(
    method: string,
    path: string,
    json?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const answer = await this.ask(`/api/v2${path}`, {
      method,
      headers: { 'x-assurance-page': '1', ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: answer.status, body: await answer.json() };
  }

  /** Begins to sign in. @returns the address of the provider to go to */
  async begin(back = '/'): Promise<string> {
    const answer = await this.ask(`/api/v2/sign-in/openid?return_to=${encodeURIComponent(back)}`);
    return answer.headers.get('location') ?? '';
  }

  /** Ends the session at the provider, so that another person can sign in. */
  forgetProvider(): void {
    this.provider.cookies.clear();
  }

  /** Goes through the provider's pages as `login`, and stops before it comes back. @returns the address to come back to */
  async atProvider(address: string, login: string): Promise<string> {
    let url = address;
    let form: URLSearchParams | null = null;
    for (let steps = 0; steps < STEPS_MAX && !url.startsWith(this.publicUrl); steps += 1) {
      const answer: Response = await this.provider.ask(url, form === null ? {} : { method: 'POST', body: form });
      const location = answer.headers.get('location');
      const page = await answer.text();
      form = null;
      if (location !== null) url = new URL(location, url).href;
      else {
        const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
        if (action === undefined) throw new Error(`the provider says: ${page}`);
        url = new URL(action, url).href;
        const isLogin = page.includes('name="login"');
        form = new URLSearchParams(isLogin ? { prompt: 'login', login, password: 'any' } : { prompt: 'consent' });
      }
    }
    return url;
  }

  /** Comes back from the provider. @returns where the service sends to, below its public URL */
  async comeBack(address: string): Promise<string> {
    const answer = await this.ask(address.slice(this.publicUrl.length));
    const location = answer.headers.get('location') ?? '';
    if (answer.status !== 302 || !location.startsWith(`${this.publicUrl}/`)) {
      throw new Error(`the service answered ${answer.status} ${location}: ${await answer.text()}`);
    }
    return location.slice(this.publicUrl.length);
  }

  /** Signs in. @returns where the service sends to, below its public URL */
  async signIn(login: string, back?: string): Promise<string> {
    return this.comeBack(await this.atProvider(await this.begin(back), login));
  }
}
