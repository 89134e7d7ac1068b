/** Which snapshot of an environment is asked for (WIRE 5.3). */
export type SnapshotExpression =
  | { readonly kind: 'latest'; readonly text: string }
  | { readonly kind: 'index'; readonly text: string; readonly index: number };

/**
 * Reads `-1`, `@{now}`, `N` and `#N`.
 *
 * @returns null for anything else
 */
export function readExpression(text: string): SnapshotExpression | null {
  if (text === '-1') return { kind: 'latest', text: '#-1' };
  if (text === '@{now}') return { kind: 'latest', text };
  const [, index] = /^#?(\d{1,15})$/.exec(text) ?? [];
  return index === undefined ? null : { kind: 'index', text: `#${index}`, index: Number(index) };
}
