import { beginningOf } from '@assurance/kernel';

/** Something wrong in a file: where, by keys and positions from its root, and what. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

type Path = Problem['path'];

const SHOWN_MAX = 100;

/** Types of attestations that requirements may name, beside `custom:<name>`. */
const REQUIRED_TYPES = ['generic', 'junit', 'snyk', 'pull_request', 'jira', 'sonar', 'decision', 'sbom', '*'];

/** Checks a value part by part and collects its faults. */
export class ValueChecker {
  readonly problems: Problem[] = [];

  addProblem(path: Path, text: string): void {
    this.problems.push({ path, text });
  }

  /** The members of an object; null after a complaint. */
  membersOf(value: unknown, path: Path, names: readonly string[]): ReadonlyMap<string, unknown> | null {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.addProblem(path, `Input should be an object ${inputNote(value)}`);
      return null;
    }
    for (const key of Object.keys(value)) if (!names.includes(key)) this.addProblem([...path, key], 'Unknown key');
    return new Map(Object.entries(value));
  }

  /** The items of a list with their paths; none where it is left out or null, or after a complaint. */
  itemsOf(value: unknown, path: Path): readonly (readonly [item: unknown, path: Path])[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((item: unknown, i) => [item, [...path, i]] as const);
    this.addProblem(path, `Input should be a list ${inputNote(value)}`);
    return [];
  }

  /** A text that is not empty; null after a complaint. */
  textOf(value: unknown, path: Path): string | null {
    if (typeof value === 'string' && value !== '') return value;
    this.addProblem(
      path,
      value === undefined ? 'Field required' : `Input should be a text that is not empty ${inputNote(value)}`,
    );
    return null;
  }

  /** A type of attestation that can be required. */
  typeOf(value: unknown, path: Path): void {
    if (value === undefined) this.addProblem(path, 'Field required');
    else if (typeof value !== 'string' || !(REQUIRED_TYPES.includes(value) || /^custom:.+$/.test(value)))
      this.addProblem(path, `Input should be one of ${REQUIRED_TYPES.join(', ')}, custom:<name> ${inputNote(value)}`);
  }
}

/** A given value at the end of a complaint. */
export function inputNote(value: unknown): string {
  return `[input: ${beginningOf(typeof value === 'string' ? value : jsonOf(value), SHOWN_MAX)}]`;
}

/** Aliases can make a value hold itself. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '…';
  }
}
