/** Where mail goes out. */
export interface SmtpSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string;
  readonly from: string;
}

export interface Mail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** @throws Error with what the server said */
  send(mail: Mail): Promise<string>;
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
    async send({ id, to, subject, text, html }) {
      const messageId = `<${id}@${host}>`;
      const opened = await (transport ??= openTransport(url));
      const signal = AbortSignal.timeout(tryMs);
      try {
        const done = await opened.sendMail({ from, to, subject, text, html, messageId, signal });
        return done.response ?? 'accepted';
      } catch (error) {
        throw signal.aborted ? new Error(`it took longer than ${tryMs} ms`) : error;
      }
    },
    close: async () => (await transport)?.close(),
  };
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
