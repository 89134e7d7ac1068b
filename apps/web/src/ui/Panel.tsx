import { useId, type ReactNode } from 'react';
import { Guarded } from './Guarded';
import css from './Panel.module.css';

interface Props {
  readonly title: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  /** Without space around the content, for tables. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A part of a page with a heading. It loads and fails independently. */
export function Panel({ title, note, actions, flush = false, children }: Props) {
  const id = useId();
  return (
    <section className={css.panel} aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id} className={css.title}>
          {title}
        </h2>
        {note !== undefined && <div className={css.note}>{note}</div>}
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </header>
      <div className={flush ? css.flush : css.body}>
        <Guarded>{children}</Guarded>
      </div>
    </section>
  );
}
