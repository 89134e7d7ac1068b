import { err, ok, type Result } from '@assurance/kernel';
import type { Condition, Literal, Operand, Operator, Path } from './ast';
import { patternProblem } from './pattern';
import { type ExpressionProblem, type Token, tokens } from './tokens';

/** The most characters of an expression. */
export const EXPRESSION_MAX = 4_096;
/** The deepest nesting of an expression. Code that walks an expression needs no deeper stack. */
export const DEPTH_MAX = 64;

/** The text of an expression without its wrapper, as answers show it: `${{ flow.name == "web" }}` is `flow.name == "web"`. */
export function unwrapExpression(text: string): string {
  const trimmedText = text.trim();
  return trimmedText.startsWith('${{') && trimmedText.endsWith('}}') && trimmedText.length >= 5
    ? trimmedText.slice(3, -2).trim()
    : trimmedText;
}

/** Reads an expression without its wrapper. Total: every text gives a condition or a problem. */
export function parseExpression(text: string): Result<Condition, ExpressionProblem> {
  if (text.length > EXPRESSION_MAX)
    return err({ at: EXPRESSION_MAX, text: `An expression has at most ${EXPRESSION_MAX} characters` });
  const read = tokens(text);
  if (!read.ok) return read;
  try {
    return ok(new Parser(read.value).parseWhole());
  } catch (error) {
    if (error instanceof ParseError) return err(error.problem);
    throw error;
  }
}

/** Ends parsing from any depth. */
class ParseError extends Error {
  constructor(readonly problem: ExpressionProblem) {
    super(problem.text);
  }
}

const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'exists', 'matches']);
const CONSTANTS: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Reads from left to right, one function a rule of the grammar; `or` binds least, then `and`, then `not`. */
class Parser {
  private position = 0;
  private depth = 0;

  constructor(private readonly all: readonly Token[]) {}

  parseWhole(): Condition {
    const condition = this.parseOr();
    if (this.token.kind !== 'end') this.fail('The expression should end here');
    return condition;
  }

  private parseOr(): Condition {
    return this.chain('or', () => this.chain('and', () => this.negation()));
  }

  private chain(kind: 'and' | 'or', part: () => Condition): Condition {
    const first = part();
    const parts = [first];
    while (this.takeWord(kind)) parts.push(part());
    return parts.length === 1 ? first : { kind, parts };
  }

  private negation(): Condition {
    if (!this.takeWord('not')) return this.parseSimple();
    this.enterNesting();
    const condition = this.negation();
    this.depth -= 1;
    return { kind: 'not', condition };
  }

  private parseSimple(): Condition {
    if (this.takeMark('(')) {
      this.enterNesting();
      const condition = this.parseOr();
      this.depth -= 1;
      this.expectMark(')');
      return condition;
    }
    if (this.takeWord('exists')) {
      this.expectMark('(');
      const value = this.operand();
      this.expectMark(')');
      return { kind: 'exists', value };
    }
    if (this.takeWord('matches')) return this.parseMatching();
    const left = this.operand();
    if (this.token.kind === 'operator') return this.comparison(left, this.token.value);
    if (this.takeWord('in')) return { kind: 'in', item: left, list: this.list() };
    if (this.takeWord('not')) {
      if (!this.takeWord('in')) this.fail("'in' is expected here");
      return { kind: 'not', condition: { kind: 'in', item: left, list: this.list() } };
    }
    if (left.kind === 'literal' && typeof left.value === 'boolean') return { kind: 'truth', value: left.value };
    return this.fail('A comparison is expected here, such as flow.name == "web"');
  }

  private comparison(left: Operand, operator: Operator): Condition {
    this.position += 1;
    const right = this.operand();
    if (this.token.kind === 'operator') this.fail('Comparisons cannot be chained; join them with and');
    return { kind: 'compare', operator, left, right };
  }

  private parseMatching(): Condition {
    this.expectMark('(');
    const value = this.operand();
    this.expectMark(',');
    const { token } = this;
    if (token.kind !== 'text') return this.fail('A regular expression in quotes is expected here');
    const problem = patternProblem(token.value);
    if (problem !== null) this.fail(problem);
    this.position += 1;
    this.expectMark(')');
    return { kind: 'matches', value, pattern: token.value };
  }

  private list(): Literal[] {
    this.expectMark('[');
    const values: Literal[] = [];
    if (this.takeMark(']')) return values;
    do {
      const { token } = this;
      const item = this.operand();
      if (item.kind !== 'literal') this.fail('A list holds texts, numbers, true, false and null', token);
      else values.push(item.value);
    } while (this.takeMark(','));
    this.expectMark(']');
    return values;
  }

  private operand(): Operand {
    const { token } = this;
    if (token.kind === 'text' || token.kind === 'number') {
      this.position += 1;
      return { kind: 'literal', value: token.value };
    }
    if (token.kind !== 'word' || KEYWORDS.has(token.value)) return this.fail('A value is expected here');
    this.position += 1;
    const constant = CONSTANTS.get(token.value);
    if (constant !== undefined) return { kind: 'literal', value: constant };
    const path = pathOf(token.value);
    if (path === null)
      return this.fail('Values are flow.name, flow.tags.<key>, artifact.name and artifact.fingerprint', token);
    return { kind: 'path', path };
  }

  private get token(): Token {
    return this.all[this.position] ?? { kind: 'end', at: 0 };
  }

  private takeWord(word: string): boolean {
    const matches = this.token.kind === 'word' && this.token.value === word;
    if (matches) this.position += 1;
    return matches;
  }

  private takeMark(mark: string): boolean {
    const matches = this.token.kind === 'mark' && this.token.value === mark;
    if (matches) this.position += 1;
    return matches;
  }

  private expectMark(mark: string): void {
    if (!this.takeMark(mark)) this.fail(`'${mark}' is expected here`);
  }

  private enterNesting(): void {
    this.depth += 1;
    if (this.depth > DEPTH_MAX) this.fail(`An expression is nested at most ${DEPTH_MAX} deep`);
  }

  private fail(text: string, { at }: Token = this.token): never {
    throw new ParseError({ at, text });
  }
}

function pathOf(word: string): Path | null {
  if (word === 'flow.name') return { of: 'flow', field: 'name' };
  if (word === 'artifact.name') return { of: 'artifact', field: 'name' };
  if (word === 'artifact.fingerprint') return { of: 'artifact', field: 'fingerprint' };
  const key = word.startsWith('flow.tags.') ? word.slice('flow.tags.'.length) : '';
  return /^[A-Za-z0-9]/.test(key) ? { of: 'flow', field: 'tags', key } : null;
}
