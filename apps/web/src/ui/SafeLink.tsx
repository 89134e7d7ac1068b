import type { ReactNode } from 'react';
import { Icon } from './Icon';
import { PageLink } from './PageLink';
import { safeUrl } from './safe-url';
import css from './SafeLink.module.css';

interface Props {
  readonly href: string | null | undefined;
  /** The address itself unless something else is given. */
  readonly children?: ReactNode;
}

/** A link to an address that came from outside. What is no web address is shown as text. */
export function SafeLink({ href, children = href }: Props) {
  const url = href == null ? null : safeUrl(href);
  if (url === null) return <>{children}</>;
  return (
    <a className={css.link} href={url} target="_blank" rel="noopener noreferrer">
      {children}
      <Icon name="external" />
      <span className="hidden">(opens another site)</span>
    </a>
  );
}

interface BesideProps {
  /** One of the addresses in `app/paths`. */
  readonly to: string;
  readonly children: string;
}

/** A link to another page of the organization that leaves the page as it is, such as a form that somebody fills in. */
export const LinkBeside = ({ to, children }: BesideProps) => (
  <PageLink to={to} target="_blank" rel="noopener">
    <bdi>{children}</bdi>
    <span className="hidden"> (opens another tab)</span>
  </PageLink>
);
