import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = resolve(__dirname, '../../../../../apps/e2e/dist/support/openid/main.js');

/** How the service is known to the provider. */
export const CLIENT = { id: 'assurance', secret: 'the-secret-of-the-client' } as const;

/** The claims of a person. */
export interface ProviderClaims {
  readonly preferred_username?: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean | string;
  readonly xms_edov?: string;
  readonly groups?: readonly string[];
  /** Claims of the ID token; the others are those of the user info. */
  readonly id_token?: Readonly<Record<string, unknown>>;
}

/** A real OpenID Connect provider on loopback; anybody signs in there with any password. */
export class TestProvider {
  private constructor(
    private readonly child: ChildProcess,
    /** Without a slash at its end. */
    readonly issuer: string,
  ) {}

  static async start(): Promise<TestProvider> {
    const child = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'pipe', 'pipe'] });
    // It warns that it is for tests only.
    let complaint = '';
    child.stderr.on('data', (piece) => (complaint += String(piece)));
    const output = once(createInterface(child.stdout), 'line').then(([line]) => String(line));
    const early = once(child, 'exit').then(() => Promise.reject(new Error(`the provider did not start: ${complaint}`)));
    const [, issuer] = /listens on (\S+)/.exec(await Promise.race([output, early])) ?? [];
    early.catch(() => undefined);
    if (issuer === undefined) throw new Error('the provider did not say where it listens');
    return new TestProvider(child, issuer);
  }

  /** Settings by which a service signs people in here. */
  settings(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
    return {
      ASSURANCE_OPENID_ISSUER: this.issuer,
      ASSURANCE_OPENID_CLIENT_ID: CLIENT.id,
      ASSURANCE_OPENID_CLIENT_SECRET: CLIENT.secret,
      ASSURANCE_OPENID_SCOPES: 'openid profile email groups',
      ...more,
    };
  }

  /** Where clients may return to. It is set before any sign-in. */
  redirects(...to: readonly string[]): Promise<void> {
    return this.tell('redirects', to);
  }

  /** Sets the claims of a person from now on. */
  account(subject: string, claims: ProviderClaims): Promise<void> {
    return this.tell(`accounts/${encodeURIComponent(subject)}`, claims);
  }

  /** From now on it answers nothing, or again. */
  away(is: boolean): Promise<void> {
    return this.tell('away', is);
  }

  async stop(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.stdin?.end();
    if (this.child.exitCode === null) await exit;
  }

  private async tell(what: string, value: unknown): Promise<void> {
    await fetch(`${this.issuer}/test/${what}`, { method: 'POST', body: JSON.stringify(value) });
  }
}
