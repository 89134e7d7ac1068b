import { domainToASCII } from 'node:url';

/** The SMTP server that mail is sent through, and its sender address. */
export interface SmtpSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string;
  readonly from: string;
}

export interface Mail {
  readonly id: string;
  /** The addresses in the header of the mail. */
  readonly to: readonly string[];
  /** The addresses that this attempt sends it to. */
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The answer of a server to a mail. */
export interface MailResult {
  /** The response to the mail; null if the server refused all recipients. */
  readonly response: string | null;
  readonly refused: readonly { readonly address: string; readonly response: string; readonly final: boolean }[];
}

export interface Mailer {
  /** @throws Error with the server's response to the whole mail */
  send(mail: Mail): Promise<MailResult>;
  close(): Promise<void>;
}

/** How long an attempt may take, including the wait for a connection (milliseconds). */
const TRY_MS = 10_000;

/** The number of destinations that mail is sent to concurrently. Others wait for a connection. */
export const MAIL_CONNECTIONS = 4;

/**
 * Sends mail through the SMTP server that the operator chose. It keeps a few connections open. If an attempt takes too long, its connection is
 * closed.
 */
export function openMailer({ url, from }: SmtpSettings, tryMs = TRY_MS): Mailer {
  let transport: ReturnType<typeof openTransport> | null = null;
  const host = /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, to, recipients, subject, text, html }) {
      const messageId = `<${id}@${host}>`;
      const openTransporter = await (transport ??= openTransport(url));
      const signal = AbortSignal.timeout(tryMs);
      const envelope = { from, to: [...recipients] };
      try {
        const result = await openTransporter.sendMail({
          from,
          to: [...to],
          envelope,
          subject,
          text,
          html,
          messageId,
          signal,
        });
        return { response: result.response ?? 'accepted', refused: refusedOf(recipients, result) };
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

/** The fields in which nodemailer reports recipients that a server refused. */
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

/** An address as the server got it, because nodemailer converts domains to their DNS form. */
function comparable(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`.toLowerCase();
}

async function openTransport(url: string) {
  // Imported late, because it takes some MB of memory, which a process that sends no mail does not need.
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
