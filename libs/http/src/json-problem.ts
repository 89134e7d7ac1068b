import { input } from '@assurance/kernel';

/** How much of a text is shown before and after the place of a fault (characters). */
const SHOWN = 50;

/**
 * Says what is wrong with a text that is not valid JSON: the place of the fault, or the key that is not allowed.
 *
 * @param fault what the parser threw
 */
export function jsonProblem(text: string, fault: unknown): string {
  const at = faultAt(text);
  if (at === null) {
    // It is JSON: the parser refuses a key.
    return /prototype property/.test(String(fault))
      ? `The key '__proto__' is not allowed in any object ${input(text)}`
      : `Input is not valid JSON ${input(text)}`;
  }
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  const problem = at >= text.length ? 'it ends too early' : `unexpected '${[...text.slice(at, at + 2)][0] ?? ''}'`;
  return `Input is not valid JSON: ${problem} at line ${line}, column ${column} ${input(text.slice(Math.max(0, at - SHOWN), at + SHOWN))}`;
}

const BLANKS = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The place of the first fault of a text that should be JSON (RFC 8259); null if it is JSON. */
function faultAt(text: string): number | null {
  return new Scanner(text).scan();
}

type ExpectedToken = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end';

/** Scans JSON without building values. Nesting uses no call stack. */
class Scanner {
  private position = 0;
  private readonly open: ('{' | '[')[] = [];

  constructor(private readonly text: string) {}

  scan(): number | null {
    let expectedToken: ExpectedToken = 'value';
    for (;;) {
      this.position = this.matchEnd(BLANKS) ?? this.position;
      if (this.position >= this.text.length) {
        return expectedToken === 'comma or end' && this.open.length === 0 ? null : this.position;
      }
      const next = this.readToken(expectedToken);
      if (next === null) return this.position;
      expectedToken = next;
    }
  }

  /** Reads one token. @returns what must come after it; null for a fault at `position` */
  private readToken(expectedToken: ExpectedToken): ExpectedToken | null {
    const character = this.text[this.position] ?? '';
    switch (expectedToken) {
      case 'colon':
        return character === ':' ? this.advance('value') : null;
      case 'key or }':
        return character === '}' ? this.closeContainer() : this.key(character);
      case 'key':
        return this.key(character);
      case 'comma or end':
        return this.commaOrEnd(character);
      case 'value or ]':
        return character === ']' ? this.closeContainer() : this.value(character);
      case 'value':
        return this.value(character);
    }
  }

  private value(character: string): ExpectedToken | null {
    if (character === '{' || character === '[') {
      this.open.push(character);
      return this.advance(character === '{' ? 'key or }' : 'value or ]');
    }
    if (character === '"') return this.string() ? 'comma or end' : null;
    const end = this.matchEnd(NUMBER) ?? this.matchEnd(WORD);
    if (end === null) return null;
    this.position = end;
    return 'comma or end';
  }

  private key(character: string): ExpectedToken | null {
    return character === '"' && this.string() ? 'colon' : null;
  }

  private commaOrEnd(character: string): ExpectedToken | null {
    const inside = this.open.at(-1);
    if (inside === undefined) return null;
    if (character === ',') return this.advance(inside === '{' ? 'key' : 'value');
    return character === (inside === '{' ? '}' : ']') ? this.closeContainer() : null;
  }

  private closeContainer(): ExpectedToken {
    this.open.pop();
    return this.advance('comma or end');
  }

  private advance(expected: ExpectedToken): ExpectedToken {
    this.position += 1;
    return expected;
  }

  /** @returns false for a fault in the string, at `position` */
  private string(): boolean {
    for (this.position += 1; this.position < this.text.length;) {
      const code = this.text.charCodeAt(this.position);
      if (code === 0x22) {
        this.position += 1;
        return true;
      }
      if (code < 0x20) return false;
      if (code === 0x5c) {
        const end = this.matchEnd(ESCAPE);
        if (end === null) return false;
        this.position = end;
      } else this.position += 1;
    }
    return false;
  }

  private matchEnd(token: RegExp): number | null {
    token.lastIndex = this.position;
    return token.test(this.text) ? token.lastIndex : null;
  }
}
