import { createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto';

const PURPOSE = 'package-signing';
const SEED_BYTES = 32;
/** The prefix before the 32 bytes of an Ed25519 key in PKCS #8 and in SPKI (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Signs texts for an installation. */
export interface Signer {
  /** The Ed25519 public key: 32 bytes as base64url. It also identifies the signer. */
  readonly key: string;
  /** @returns base64url */
  sign(text: string): string;
}

/** Derives a key from an installation's secret (HKDF-SHA256, Ed25519). The key is used only for signing. */
export function signerOf(secret: string): Signer {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, SEED_BYTES));
  const secretKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(secretKey).export({ format: 'der', type: 'spki' });
  return {
    key: spki.subarray(SPKI.length).toString('base64url'),
    sign: (text) => sign(null, Buffer.from(text), secretKey).toString('base64url'),
  };
}

/** Whether the holder of a public key signed a text. */
export function signedBy(key: string, text: string, signature: string): boolean {
  const bytes = Buffer.from(key, 'base64url');
  if (bytes.length !== SEED_BYTES) return false;
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'));
}

/** A public key in the format that tools read (PEM, SPKI). */
export function pemOf(key: string): string {
  const der = Buffer.concat([SPKI, Buffer.from(key, 'base64url')]).toString('base64');
  return `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----\n`;
}
