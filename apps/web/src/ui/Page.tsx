import type { ReactNode } from 'react';
import { BreakableName } from './Breakable';
import { Guarded } from './Guarded';
import css from './Page.module.css';
import { NameLink } from './PageLink';
import { useTitle } from './use-title';

interface Props {
  readonly title: string;
  /** The kind of thing that the title names, such as `Environment`. */
  readonly kind?: string;
  /** Links to the pages above: texts with addresses. */
  readonly above?: readonly { readonly text: string; readonly href: string }[];
  readonly badges?: ReactNode;
  /** What the page is about. Nothing is shown for an empty text. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its only heading, links to the pages above, actions, and content. */
export function Page({ title, kind, above = [], badges, lead, actions, children }: Props) {
  useTitle(title);
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div className={css.heading}>
          {above.length > 0 && (
            <nav className={css.above} aria-label="Breadcrumbs">
              {above.map(({ text, href }) => (
                <NameLink key={href} to={href}>
                  {text}
                </NameLink>
              ))}
            </nav>
          )}
          <h1 className={css.title} id="title" tabIndex={-1}>
            {kind !== undefined && <span className="hidden">{kind} </span>}
            <BreakableName>{title}</BreakableName>
          </h1>
          {badges !== undefined && <div className={css.badges}>{badges}</div>}
        </div>
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </header>
      {lead !== undefined && lead !== '' && (
        <div className={css.lead}>
          <bdi>{lead}</bdi>
        </div>
      )}
      <Guarded>{children}</Guarded>
    </div>
  );
}
