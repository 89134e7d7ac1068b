import { unreachable } from '@assurance/kernel';
import type { Condition, Literal, Operand } from './ast';

/** A condition as text that reads as the same condition. */
export function printExpression(condition: Condition): string {
  switch (condition.kind) {
    case 'truth':
      return String(condition.value);
    case 'compare':
      return `${operand(condition.left)} ${condition.operator} ${operand(condition.right)}`;
    case 'in':
      return `${operand(condition.item)} in [${condition.list.map(literal).join(', ')}]`;
    case 'exists':
      return `exists(${operand(condition.value)})`;
    case 'matches':
      return `matches(${operand(condition.value)}, ${literal(condition.pattern)})`;
    case 'not':
      return `not ${part(condition.condition)}`;
    case 'and':
    case 'or':
      return condition.parts.map(part).join(` ${condition.kind} `);
    default:
      return unreachable(condition);
  }
}

function part(condition: Condition): string {
  const text = printExpression(condition);
  return condition.kind === 'and' || condition.kind === 'or' ? `(${text})` : text;
}

function operand(value: Operand): string {
  if (value.kind === 'literal') return literal(value.value);
  const { path } = value;
  return path.of === 'flow' && path.field === 'tags' ? `flow.tags.${path.key}` : `${path.of}.${path.field}`;
}

function literal(value: Literal): string {
  if (typeof value !== 'string') return String(value);
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `"${escaped}"`;
}
