import type { DeclaredAttestation, DeclaredTrail, FlowTemplate } from '@assurance/contracts-events';
import { no, ok, type Result } from '@assurance/kernel';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { checkTemplate } from './check-template';

/** The most bytes of a template. */
export const TEMPLATE_BYTES_MAX = 64 * 1024;
const PROBLEMS_MAX = 20;

/** One text a bad place, by its path from the template's root (`trail.artifacts.0.name`); `''` is the template itself. */
export type TemplateErrors = Readonly<Record<string, string>>;

/**
 * Reads a template: YAML of version 1 (WIRE 27), kept as it came, with what it asks for. Errors say line and column.
 *
 * @param bytes UTF-8
 */
export function readTemplate(bytes: Uint8Array): Result<FlowTemplate, TemplateErrors> {
  if (bytes.length > TEMPLATE_BYTES_MAX) return no({ '': `The template is larger than ${TEMPLATE_BYTES_MAX} bytes` });
  const text = decoded(bytes);
  if (text === null) return no({ '': 'The template is not UTF-8 text' });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `(line ${line}, column ${col})`;
  };
  const [syntax] = document.errors;
  if (syntax !== undefined) return no({ '': `The template is not valid YAML: ${syntax.message} ${at(syntax.pos[0])}` });
  const content = contentOf(document);
  if (!content.ok) return no({ '': content.refusal });
  const problems = checkTemplate(content.value).slice(0, PROBLEMS_MAX);
  if (problems.length === 0) return ok({ yaml: text, ...declared(content.value as Checked) });
  return no(
    Object.fromEntries(
      problems.map(
        ({ path, text: problem }) => [path.join('.'), `${problem} ${at(offsetOf(document, path))}`] as const,
      ),
    ),
  );
}

/** What a template that was checked may hold: every list may be left out or null. */
interface Checked {
  readonly trail?: {
    readonly attestations?: readonly DeclaredAttestation[] | null;
    readonly artifacts?:
      readonly { readonly name: string; readonly attestations?: readonly DeclaredAttestation[] | null }[] | null;
  } | null;
}

/** What it asks for; nothing at all where it asks for nothing. */
function declared({ trail }: Checked): { readonly trail?: DeclaredTrail } {
  const attestations = attested(trail?.attestations);
  const artifacts = (trail?.artifacts ?? []).map((one) => ({
    name: one.name,
    attestations: attested(one.attestations),
  }));
  return attestations.length + artifacts.length === 0 ? {} : { trail: { attestations, artifacts } };
}

function attested(list: readonly DeclaredAttestation[] | null | undefined): DeclaredAttestation[] {
  return (list ?? []).map(({ name, type }) => ({ name, type }));
}

/** The template's value; aliases are followed a bounded number of times. */
function contentOf(document: Document): Result<unknown, string> {
  try {
    return ok(document.toJS({ maxAliasCount: 50 }) as unknown);
  } catch {
    return no('The template has too many aliases, or one that leads nowhere');
  }
}

/** Where a place begins; where it is missing, where that begins which should hold it. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
