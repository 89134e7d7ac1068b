import { unreachable } from '@assurance/kernel';
import type { Condition, Literal, Operand, Operator } from './ast';
import { matchesPattern } from './pattern';

/** The artifact and flow that an expression is evaluated for. */
export interface Subject {
  readonly artifact: { readonly name: string; readonly fingerprint: string };
  /** Null where the artifact is known in none: what depends on it is unknown. */
  readonly flow: { readonly name: string; readonly tags: Readonly<Record<string, string>> } | null;
}

/** Whether a condition certainly holds. A condition that is null always holds. */
export function isTrueFor(condition: Condition | null, subject: Subject): boolean {
  return condition === null || evaluate(condition, subject) === true;
}

/**
 * Whether a condition holds; null if that depends on an unknown flow. It ends for every input and never throws.
 *
 * A missing tag compares as null. Tags are always texts, so a text that is a plain number compares with a number as a number.
 * Other values of different types are never equal, and none comes before the other.
 */
export function evaluate(condition: Condition, subject: Subject): boolean | null {
  switch (condition.kind) {
    case 'truth':
      return condition.value;
    case 'not': {
      const inner = evaluate(condition.condition, subject);
      return inner === null ? null : !inner;
    }
    case 'and':
    case 'or': {
      const decisive = condition.kind === 'or';
      let result: boolean | null = !decisive;
      for (const part of condition.parts) {
        const holds = evaluate(part, subject);
        if (holds === decisive) return decisive;
        if (holds === null) result = null;
      }
      return result;
    }
    case 'compare': {
      const left = valueOf(condition.left, subject);
      const right = valueOf(condition.right, subject);
      return left === undefined || right === undefined ? null : compares(condition.operator, left, right);
    }
    case 'in': {
      const item = valueOf(condition.item, subject);
      return item === undefined ? null : condition.list.some((literal) => compares('==', item, literal));
    }
    case 'exists': {
      const value = valueOf(condition.value, subject);
      return value === undefined ? null : value !== null;
    }
    case 'matches': {
      const value = valueOf(condition.value, subject);
      if (value === undefined) return null;
      return typeof value === 'string' && matchesPattern(condition.pattern, value);
    }
    default:
      return unreachable(condition);
  }
}

/** Undefined where the flow is not known. */
function valueOf(operand: Operand, { artifact, flow }: Subject): Literal | undefined {
  if (operand.kind === 'literal') return operand.value;
  const { path } = operand;
  if (path.of === 'artifact') return artifact[path.field];
  if (flow === null) return undefined;
  if (path.field === 'name') return flow.name;
  return Object.hasOwn(flow.tags, path.key) ? (flow.tags[path.key] ?? null) : null;
}

function compares(operator: Operator, left: Literal, right: Literal): boolean {
  const order = orderOf(left, right);
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order !== null && order < 0;
    case '>':
      return order !== null && order > 0;
    case '<=':
      return order !== null && order <= 0;
    case '>=':
      return order !== null && order >= 0;
    default:
      return unreachable(operator);
  }
}

/** Null where neither equals the other nor comes before it. */
function orderOf(left: Literal, right: Literal): number | null {
  if (left === right) return 0;
  const [a, b] =
    typeof left === 'number' || typeof right === 'number' ? [numberOf(left), numberOf(right)] : [left, right];
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return typeof a === 'string' && typeof b === 'string' ? (a < b ? -1 : 1) : null;
}

function numberOf(value: Literal): Literal {
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
}
