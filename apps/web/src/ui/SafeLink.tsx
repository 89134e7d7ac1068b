import type { ReactNode } from 'react';
import { Breakable } from './Breakable';
import { Icon } from './Icon';
import { PageLink } from './PageLink';
import { safeUrl } from './safe-url';
import css from './SafeLink.module.css';

interface Props {
  readonly href: string | null | undefined;
  /** The text of the link; the address if left out. */
  readonly children?: ReactNode;
}

/** A link to an address from outside. An address that is not a web address is shown as text. */
export function SafeLink({ href, children = href }: Props) {
  const url = href == null ? null : safeUrl(href);
  if (url === null) return <>{children}</>;
  return (
    <a className={css.link} href={url} target="_blank" rel="noopener noreferrer">
      <span className={css.text}>{typeof children === 'string' ? <Breakable>{children}</Breakable> : children}</span>
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

/** A link to another page of the organization that opens beside the current page, for example beside a form that the reader fills in. */
export const LinkBeside = ({ to, children }: BesideProps) => (
  <PageLink to={to} target="_blank" rel="noopener">
    <bdi>{children}</bdi>
    <span className="hidden"> (opens another tab)</span>
  </PageLink>
);
