import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import type { Server as HttpsServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Logger } from '@assurance/event-sourcing/tokens';
import type { ServerTls, TlsIdentity } from '@assurance/http';
import { err, ok, type Result } from '@assurance/kernel';
import { messageOf } from '../error-code';
import type { TlsPaths } from './tls-settings';

/** How often files are read again (milliseconds). Mounted secrets change by links, and file systems do not reliably report that. */
const LOOK_MS = 1_000;

/** The certificates of this process, from their current files. Changed files apply to new connections; open connections continue. */
export class TlsFiles {
  private readonly servers: { readonly server: HttpsServer; readonly tls: ServerTls }[] = [];
  private readonly timer: NodeJS.Timeout;
  private failureText: string | null = null;

  private constructor(
    private readonly paths: TlsPaths,
    private current: TlsIdentity,
    private readonly logger: Pick<Logger, 'info' | 'error'>,
  ) {
    this.timer = setInterval(() => this.checkFiles(), LOOK_MS).unref();
  }

  /** @returns the certificates, or a sentence that names the setting with the unusable file */
  static open(paths: TlsPaths, logger: Pick<Logger, 'info' | 'error'>): Result<TlsFiles, string> {
    const read = readIdentity(paths);
    return read.ok ? ok(new TlsFiles(paths, read.value, logger)) : read;
  }

  /** The certificate and authorities for new connections. Changed files make a new object. */
  get identity(): TlsIdentity {
    return this.current;
  }

  /** From when to when the own certificate is valid (milliseconds since 1970); null without one. */
  get validity(): { readonly from: number; readonly to: number } | null {
    if (this.current.cert === undefined) return null;
    const { validFromDate, validToDate } = new X509Certificate(this.current.cert);
    return { from: validFromDate.getTime(), to: validToDate.getTime() };
  }

  /** TLS of the API; null: none. */
  get api(): ServerTls | null {
    const clients = this.paths.clients === 'required' ? { requestCert: true, rejectUnauthorized: true } : {};
    return this.paths.own === null ? null : { ...this.current, ...clients };
  }

  /** TLS of the operations address; null: none. It requires no client certificate, because probes have none. */
  get operations(): ServerTls | null {
    return this.paths.own === null ? null : this.current;
  }

  /** Passes certificates to a server whenever they change. */
  watch(server: HttpsServer, tls: ServerTls | null): void {
    if (tls !== null) this.servers.push({ server, tls });
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private checkFiles(): void {
    const read = readIdentity(this.paths);
    if (!read.ok) {
      // Perhaps only one file of the pair has changed yet. Until both fit, new connections get the previous pair.
      if (this.failureText !== read.refusal)
        this.logger.error({ why: read.refusal }, 'changed certificates cannot be used; the previous ones stay in use');
      this.failureText = read.refusal;
      return;
    }
    this.failureText = null;
    const { cert, key, ca } = read.value;
    if (cert === this.current.cert && key === this.current.key && ca === this.current.ca) return;
    this.current = read.value;
    for (const { server, tls } of this.servers) server.setSecureContext({ ...tls, ...read.value });
    this.logger.info({ ...this.paths }, 'certificates were read again');
  }
}

function readIdentity({ own, ca }: TlsPaths): Result<TlsIdentity, string> {
  const texts: Record<'cert' | 'key' | 'ca', string | undefined> = { cert: undefined, key: undefined, ca: undefined };
  const files = [
    ['cert', 'ASSURANCE_TLS_CERTIFICATE_FILE', own?.certificate],
    ['key', 'ASSURANCE_TLS_KEY_FILE', own?.key],
    ['ca', 'ASSURANCE_TLS_CA_FILE', ca],
  ] as const;
  for (const [what, setting, path] of files) {
    if (path === undefined || path === null) continue;
    try {
      const text = readFileSync(path, 'utf8');
      // Each file is checked separately, so that an error names it.
      createSecureContext({ [what]: text });
      texts[what] = text;
    } catch (fault) {
      return err(`${setting} names ${path}, which cannot be used: ${messageOf(fault)}.`);
    }
  }
  try {
    createSecureContext(texts);
  } catch (fault) {
    return err(`ASSURANCE_TLS_KEY_FILE is not the key of ASSURANCE_TLS_CERTIFICATE_FILE: ${messageOf(fault)}.`);
  }
  return ok(texts);
}
