import { signedBy, type Signer } from '@assurance/event-sourcing/checkpoints/keys';
import { sha256 } from '@assurance/kernel';
import { MANIFEST, type Manifest } from './manifest';

/** A signed envelope of any content (DSSE 1.0.2). It uses base64, as DSSE requires. */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** A statement about files, identified by their digests (in-toto Statement, version 1). */
export interface Statement {
  readonly _type: typeof STATEMENT;
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: typeof PREDICATE;
  readonly predicate: Pick<Manifest, 'format' | 'what' | 'when' | 'by_whom' | 'service'> & { readonly files: number };
}

const STATEMENT = 'https://in-toto.io/Statement/v1';
const PREDICATE = 'urn:assurance:audit-package:1';
const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** The statement about a package. It has the digest of the manifest. */
export function statementOf({ format, what, when, by_whom, service, files }: Manifest, text: string): Statement {
  return {
    _type: STATEMENT,
    subject: [{ name: MANIFEST, digest: { sha256: sha256(text) } }],
    predicateType: PREDICATE,
    predicate: { format, what, when, by_whom, service, files: files.length },
  };
}

/** Signs a statement. The same key and statement give the same envelope, because Ed25519 uses no random numbers. */
export function signStatement(statement: Statement, signer: Signer): Envelope {
  const payload = JSON.stringify(statement);
  const sig = Buffer.from(signer.sign(preAuthentication(PAYLOAD_TYPE, payload)), 'base64url').toString('base64');
  return {
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: signer.key, sig }],
  };
}

export interface OpenedEnvelope {
  readonly statement: Partial<Statement>;
  /** Keys with a valid signature of the envelope, each as 32 bytes in base64url. */
  readonly keys: readonly string[];
}

/**
 * Reads an envelope without checking who signed it.
 *
 * @returns null if it is not an envelope of a statement
 */
export function openEnvelope(text: string): OpenedEnvelope | null {
  try {
    const { payloadType, payload, signatures } = JSON.parse(text) as Envelope;
    if (payloadType !== PAYLOAD_TYPE) return null;
    const payloadText = Buffer.from(payload, 'base64').toString('utf8');
    const signedText = preAuthentication(payloadType, payloadText);
    const keys = signatures.filter(({ keyid, sig }) => signedBy(keyid, signedText, sig)).map(({ keyid }) => keyid);
    return { statement: JSON.parse(payloadText) as Partial<Statement>, keys };
  } catch {
    return null;
  }
}

/** The signed bytes of an envelope (DSSE's PAE): lengths in bytes separate type and payload. */
function preAuthentication(type: string, payload: string): string {
  return `DSSEv1 ${Buffer.byteLength(type)} ${type} ${Buffer.byteLength(payload)} ${payload}`;
}
