// Creates a certificate authority in a folder, with one certificate for a server on the loopback address and one for a client.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// The certificate library needs this import first.
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** The client's subject, as MongoDB and Kafka see it. */
export const CLIENT = 'CN=service';

/** Paths of PEM files: the authority's certificate, and the certificate with key of server and client. */
type Certificates = Readonly<Record<'ca' | 'server' | 'client', string>>;

/** Creates the files unless they exist. */
export async function certificates(folder: string): Promise<Certificates> {
  const home = join(folder, 'tls');
  const path = (name: string) => join(home, `${name}.pem`);
  const paths = { ca: path('ca'), server: path('server'), client: path('client') };
  if (existsSync(paths.client)) return paths;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const authority = await pair();
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=authority',
    ...valid(),
    keys: authority,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  writeFileSync(paths.ca, ca.toString('pem'));
  const loopback = new x509.SubjectAlternativeNameExtension([
    { type: 'dns', value: 'localhost' },
    { type: 'ip', value: '127.0.0.1' },
  ]);
  await write(paths.server, 'CN=server', [loopback]);
  await write(paths.client, CLIENT, []);
  return paths;

  async function write(path: string, subject: string, extensions: x509.Extension[]): Promise<void> {
    const keys = await pair();
    const certificate = await x509.X509CertificateGenerator.create({
      subject,
      ...valid(),
      issuer: ca.subject,
      publicKey: keys.publicKey,
      signingKey: authority.privateKey,
      extensions,
    });
    const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
    writeFileSync(path, `${certificate.toString('pem')}\n${key}\n`, { mode: 0o600 });
  }
}

function pair() {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function valid() {
  const now = Date.now();
  return { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + 30 * DAY_MS), signingAlgorithm: ALGORITHM };
}
