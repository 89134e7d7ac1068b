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

/** A list of which the first are shown, and the others when they are asked for. */
export function FirstFew({ className, items, count, kind }: Props) {
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
