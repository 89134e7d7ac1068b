import type { ReactNode } from 'react';
import css from './parts.module.css';

interface Props {
  /** The class of the list. */
  readonly className: string | undefined;
  readonly items: readonly ReactNode[];
  /** How many are shown at first. */
  readonly count: number;
  /** The name of the items, such as `reasons`. */
  readonly kind: string;
}

/**
 * A list that shows its first items, and the others on request. A single further item is shown at once, because it needs no more space than the
 * button.
 */
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
