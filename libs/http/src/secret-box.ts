import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';

/** Encrypts secrets that are stored: `@Inject(SECRET_BOX) box: SecretBox`. */
export const SECRET_BOX = Symbol('secret-box');

const CIPHER = 'aes-256-gcm';
const PURPOSE = 'stored-secrets';
const FORM = 'v1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals texts with AES-256-GCM, under a key that is derived from the installation's secret. */
export interface SecretBox {
  /**
   * @param context where the text belongs, such as the id of its document; with another context it cannot be decrypted
   * @returns printable text: version, id of the key, nonce and ciphertext
   */
  seal(text: string, context: string): string;
  /**
   * Decrypts a text that was sealed with the present secret of the installation or with the previous one.
   *
   * @throws SecretUnreadable
   */
  open(sealedText: string, context: string): string;
  /** Whether the text was sealed with a previous secret. Then it must be sealed again before that secret is removed. */
  isOutdated(sealedText: string): boolean;
}

/** A sealed text cannot be decrypted. The message is one sentence with the reason, and never contains the content. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

interface Key {
  /** Identifies the key without revealing it. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * @param secrets of the installation, the present one first; only the present one seals
 * @param random returns the given number of random bytes
 */
export function secretBox(secrets: readonly [string, ...string[]], random: (bytes: number) => Uint8Array): SecretBox {
  const [current, ...previous] = [keyOf(secrets[0]), ...secrets.slice(1).map(keyOf)] as const;
  return {
    seal(plain, context) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.bytes, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const sealedBytes = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [FORM, current.id, sealedBytes.toString('base64url')].join('.');
    },
    open(sealed, context) {
      const [form, id, text = ''] = sealed.split('.');
      if (form !== FORM) throw new SecretUnreadable('It was not sealed in a form that this version knows.');
      const key = [current, ...previous].find((candidate) => candidate.id === id);
      if (key === undefined) {
        throw new SecretUnreadable('It was sealed under another secret: give that one as ASSURANCE_PREVIOUS_SECRET.');
      }
      return decrypt(key, Buffer.from(text, 'base64url'), context);
    },
    isOutdated: (sealed) => sealed.split('.')[1] !== current.id,
  };
}

function decrypt({ bytes }: Key, sealedBytes: Buffer, context: string): string {
  if (sealedBytes.length < NONCE_BYTES + TAG_BYTES) throw new SecretUnreadable('It was cut short.');
  const decipher = createDecipheriv(CIPHER, bytes, sealedBytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealedBytes.subarray(-TAG_BYTES));
  try {
    const plain = [decipher.update(sealedBytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
    return Buffer.concat(plain).toString('utf8');
  } catch {
    throw new SecretUnreadable('It was changed, or belongs elsewhere.');
  }
}

/** Derives a key for this purpose only (HKDF-SHA256). */
function keyOf(secret: string): Key {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES));
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}
