import { domainToASCII } from 'node:url';

/** Where mail goes out. */
export interface SmtpSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string;
  readonly from: string;
}

export interface Mail {
  readonly id: string;
  /** The addresses that the mail names. */
  readonly to: readonly string[];
  /** Those of them to whom it is sent now. */
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** How a server took a mail. */
export interface MailResult {
  /** What it said of the mail; null where it refused all recipients. */
  readonly response: string | null;
  readonly refused: readonly { readonly address: string; readonly response: string; readonly final: boolean }[];
}

export interface Mailer {
  /** @throws Error with what the server said of the whole mail */
  send(mail: Mail): Promise<MailResult>;
  close(): Promise<void>;
}

/** How long a try may take on all, waiting for a connection included (milliseconds). */
const TRY_MS = 10_000;

/** To how many destinations mail is sent at once. Others wait for a connection. */
export const MAIL_CONNECTIONS = 4;

/** Mail by an SMTP server that the operator chose: a few connections, kept open. A try that takes too long ends with its connection. */
export function openMailer({ url, from }: SmtpSettings, tryMs = TRY_MS): Mailer {
  let transport: ReturnType<typeof openTransport> | null = null;
  const host = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, to, recipients, subject, text, html }) {
      const messageId = `<${id}@${host}>`;
      const opened = await (transport ??= openTransport(url));
      const signal = AbortSignal.timeout(tryMs);
      const envelope = { from, to: [...recipients] };
      try {
        const done = await opened.sendMail({ from, to: [...to], envelope, subject, text, html, messageId, signal });
        return { response: done.response ?? 'accepted', refused: refusedOf(recipients, done) };
      } catch (error) {
        if (signal.aborted) throw new Error(`it took longer than ${tryMs} ms`);
        const refused = refusedOf(recipients, error as Rejections);
        if (refused.length === recipients.length) return { response: null, refused };
        throw error;
      }
    },
    close: async () => (await transport)?.close(),
  };
}

/** What nodemailer says of recipients that a server refused. */
interface Rejections {
  readonly rejectedErrors?: readonly {
    readonly message: string;
    readonly recipient?: string | undefined;
    readonly response?: string | undefined;
    readonly responseCode?: number | undefined;
  }[];
}

function refusedOf(recipients: readonly string[], { rejectedErrors = [] }: Rejections): MailResult['refused'] {
  const recipientsByAddress = new Map(recipients.map((address) => [comparable(address), address]));
  return rejectedErrors.map(({ message, recipient = '', response, responseCode = 0 }) => ({
    address: recipientsByAddress.get(comparable(recipient)) ?? recipient,
    response: response ?? message,
    final: responseCode >= 500,
  }));
}

/** An address as the server was given it: nodemailer writes domains as they are in the DNS. */
function comparable(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`.toLowerCase();
}

async function openTransport(url: string) {
  // Only here: it takes some MB, which a process that sends no mail need not spend.
  const { createTransport } = await import('nodemailer');
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  return createTransport({
    pool: true,
    maxConnections: MAIL_CONNECTIONS,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TRY_MS,
    greetingTimeout: TRY_MS,
    socketTimeout: TRY_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
