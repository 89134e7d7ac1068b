import { err, ok, type Result } from '@assurance/kernel';
import { type Document, isNode, LineCounter, parseDocument, visit } from 'yaml';
import type { Problem } from './check-schema';

/** The largest YAML file that callers may send (bytes). */
export const YAML_BYTES_MAX = 64 * 1024;
const PROBLEMS_MAX = 20;

/** One text for each wrong value, by its path from the root (`trail.artifacts.0.name`); `''` is the whole file. Texts name line and column. */
export type YamlErrors = Readonly<Record<string, string>>;

/**
 * Reads a YAML file and checks its content. For any bytes, the work is limited.
 *
 * @param bytes UTF-8
 * @param subject the name of the file in errors, such as `template`
 */
export function readYaml(
  bytes: Uint8Array,
  subject: string,
  check: (value: unknown) => readonly Problem[],
): Result<{ readonly text: string; readonly value: unknown }, YamlErrors> {
  if (bytes.length > YAML_BYTES_MAX) {
    const size = `has ${bytes.length} bytes, more than the limit of ${YAML_BYTES_MAX}`;
    return err({ '': `The ${subject} ${size}. Shorten its comments and descriptions` });
  }
  const text = decodeUtf8(bytes);
  if (text === null) return err({ '': `The ${subject} is not UTF-8 text` });
  const lines = new LineCounter();
  const document = parseYaml(text, lines);
  if (document === null) return err({ '': `The ${subject} is nested too deep` });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `(line ${line}, column ${col})`;
  };
  const [syntax] = document.errors;
  if (syntax !== undefined)
    return err({ '': `The ${subject} is not valid YAML: ${syntax.message} ${at(syntax.pos[0])}` });
  const half = halfPairIn(document);
  if (half !== null) return err({ '': `The ${subject} holds half of a surrogate pair ${at(half)}` });
  const content = contentOf(document);
  if (!content.ok) return err({ '': `The ${subject} ${content.refusal}` });
  const problems = check(content.value).slice(0, PROBLEMS_MAX);
  if (problems.length === 0) return ok({ text, value: content.value });
  const errors = problems.map((problem) => [
    problem.path.join('.'),
    `${problem.text} ${at(offsetOf(document, problem.path))}`,
  ]);
  return err(Object.fromEntries(errors) as YamlErrors);
}

/** Null if the text is nested too deep for the parser. */
function parseYaml(text: string, lineCounter: LineCounter): Document | null {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The offset of the first text with half of a surrogate pair, which cannot be stored; null if there is none. Escapes can make such texts. */
function halfPairIn(document: Document): number | null {
  let offset: number | null = null;
  visit(document, {
    Scalar(_key, { value, range }) {
      if (typeof value !== 'string' || value.isWellFormed()) return undefined;
      offset = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

/** The value of the document. It follows only a limited number of aliases. */
function contentOf(document: Document): Result<unknown, string> {
  try {
    return ok(document.toJS({ maxAliasCount: 50 }) as unknown);
  } catch {
    return err('has too many aliases, or one that leads nowhere');
  }
}

/** The offset of the value at a path. If it is missing, the offset of the innermost existing value around it. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
