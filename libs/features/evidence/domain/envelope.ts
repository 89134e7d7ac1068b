/** How many envelopes may be inside each other: a Sigstore bundle has a DSSE envelope, which has an in-toto statement, which has a document. */
const ENVELOPES_MAX = 5;
/** How many subjects of a statement are read. */
const SUBJECTS_MAX = 100;
const SHA_256 = /^[0-9a-f]{64}$/;

/** A document, and the artifacts that an in-toto statement around it names. */
export interface OpenedEnvelope {
  readonly document: unknown;
  /** 64 hexadecimal digits each. */
  readonly subjects: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Takes a document out of what tools put around it: a Sigstore bundle, a DSSE envelope, an in-toto statement, and the outer objects of GitHub's export
 * (`sbom`) and of BuildKit (`SPDX`). Signatures are not verified.
 *
 * @param parse reads a text that an envelope has; it may throw
 * @see https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
 */
export function openEnvelope(document: unknown, parse: (text: string) => unknown): OpenedEnvelope {
  let subjects: readonly string[] = [];
  let current = document;
  for (let depth = 0; depth < ENVELOPES_MAX; depth += 1) {
    if (!isObject(current)) break;
    if (isStatement(current)) subjects = subjectsOf(current['subject']);
    const inner = innerOf(current, parse);
    if (inner === undefined) break;
    current = inner.document;
  }
  return { document: current, subjects };
}

/** @returns undefined if there is nothing around the document */
function innerOf(fields: Fields, parse: (text: string) => unknown): { readonly document: unknown } | undefined {
  const { dsseEnvelope, payload, predicate } = fields;
  if (isObject(dsseEnvelope)) return { document: dsseEnvelope };
  if (typeof payload === 'string' && 'payloadType' in fields) return parsed(() => parse(textOfBase64(payload)));
  if (isObject(predicate) && isStatement(fields)) {
    const data = predicate['Data'];
    return typeof data === 'string' ? parsed(() => parse(data)) : { document: isObject(data) ? data : predicate };
  }
  const [name, ...others] = Object.keys(fields);
  return (name === 'sbom' || name === 'SPDX') && others.length === 0 ? { document: fields[name] } : undefined;
}

/** What an envelope has that cannot be read is no document. */
function parsed(read: () => unknown): { readonly document: unknown } {
  try {
    return { document: read() };
  } catch {
    return { document: null };
  }
}

function isStatement(fields: Fields): boolean {
  return typeof fields['predicateType'] === 'string';
}

function subjectsOf(subject: unknown): readonly string[] {
  const digests = (Array.isArray(subject) ? subject.slice(0, SUBJECTS_MAX) : []).map((one: unknown) => {
    const digest = isObject(one) ? one['digest'] : null;
    return isObject(digest) ? digest['sha256'] : null;
  });
  return digests.filter((digest): digest is string => typeof digest === 'string' && SHA_256.test(digest));
}

function textOfBase64(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(binary, (unit) => unit.charCodeAt(0)));
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
