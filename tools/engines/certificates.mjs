// An authority of a folder's own, and the certificates that it gave to a server of the loopback address and to a client.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// What makes certificates needs it loaded before.
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** The client's name as MongoDB and Kafka know it. */
export const CLIENT = 'CN=service';

/**
 * Makes the files where they are not there yet.
 *
 * @returns {Promise<{ca: string, server: string, client: string}>} paths of PEM files: the authority, and certificate and key of the two others
 */
export async function certificates(folder) {
  const home = join(folder, 'tls');
  const paths = Object.fromEntries(['ca', 'server', 'client'].map((name) => [name, join(home, `${name}.pem`)]));
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

  async function write(path, subject, extensions) {
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

/** One half of a PEM file that holds a certificate and its key. */
export function partOf(path, what) {
  const part = new RegExp(`-----BEGIN ${what}-----[^]+?-----END ${what}-----`).exec(readFileSync(path, 'utf8'));
  if (part === null) throw new Error(`${path} holds no ${what}`);
  return part[0];
}

function pair() {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function valid() {
  const now = Date.now();
  return { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + 30 * DAY_MS), signingAlgorithm: ALGORITHM };
}
