import { err, ok, type Result } from '@assurance/kernel';
import { isNode, LineCounter, type Node, parseDocument, type Document } from 'yaml';
import { codeOf, messageOf } from './error-code';

/** A parsed YAML text with the positions of its parts. */
export interface YamlText {
  readonly root: Node | null;
  readonly document: Document;
  /** `:<line>:<column>` of a part; empty if it has no position. */
  readonly where: (part: unknown) => string;
}

/**
 * Reads and parses a YAML file.
 *
 * @param title names the file in messages
 * @param schema `failsafe` reads every value as a text
 */
export function parseYaml(
  title: string,
  path: string,
  readFile: (path: string) => string,
  schema: 'core' | 'failsafe' = 'core',
): Result<YamlText, string> {
  let text: string;
  try {
    text = readFile(path);
  } catch (fault) {
    return err(`${title} cannot be read: ${reason(fault)}.`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `:${line}:${col}`;
  };
  const [error] = document.errors;
  if (error !== undefined) return err(`${title}${at(error.pos[0])} is not valid YAML: ${firstLine(error.message)}.`);
  const where = (part: unknown) => (isNode(part) && part.range ? at(part.range[0]) : '');
  return ok({ root: document.contents, document, where });
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/[.:]$/, '');
}

function reason(fault: unknown): string {
  const code = codeOf(fault);
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'permission denied';
  if (code === 'EISDIR') return 'it is a folder';
  return messageOf(fault);
}
