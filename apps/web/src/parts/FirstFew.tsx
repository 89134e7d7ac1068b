import type { ReactNode } from 'react';
import css from './parts.module.css';

interface Props {
  /** Of the list. */
  readonly className: string | undefined;
  readonly items: readonly ReactNode[];
  /** How many are shown at once. */
  readonly count: number;
  /** What the others are called, such as `reasons`. */
  readonly kind: string;
}

/** A list of which the first are shown, and the others when they are asked for: a single one more takes no more space than its button. */
export function FirstFew({ className, items, count: first, kind }: Props) {
  const count = items.length === first + 1 ? items.length : first;
  const list = (from: number, until?: number) => (
    <ul className={className}>
      {items.slice(from, until).map((item, i) => (
        <li key={i}>{item}</li>
      ))}
    </ul>
  );
  return (
    <>
      {list(0, count)}
      {items.length > count && (
        <details className={css.more}>
          <summary>
            {items.length - count} more {kind}
          </summary>
          {list(count)}
        </details>
      )}
    </>
  );
}
