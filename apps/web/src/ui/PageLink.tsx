import { Fragment, type ReactNode } from 'react';
import { Link, useNavigate, type LinkProps, type NavigateOptions } from 'react-router';
import { useOrg } from '../api/session';
import { pageIn } from '../app/paths';
import { Breakable } from './Breakable';

/** Adds the organization of the page to the address of another page. */
export function usePagePath(): (page: string) => string {
  const org = useOrg();
  return (page) => pageIn(org, page);
}

/** Leads to another page of the organization. */
export function useGo(): (page: string, options?: NavigateOptions) => Promise<void> {
  const navigate = useNavigate();
  const path = usePagePath();
  return async (page, options) => navigate(path(page), options);
}

interface Props extends LinkProps {
  /** One of the addresses in `app/paths`. */
  readonly to: string;
}

/** A link to another page of the organization. */
export const PageLink = ({ to, ...rest }: Props) => <Link to={usePagePath()(to)} {...rest} />;

interface NameProps {
  readonly to: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A name from outside as a link to its page. The writing direction of the name does not affect the text around it. */
export const NameLink = ({ children, ...link }: NameProps) => (
  <PageLink {...link}>
    <bdi>{typeof children === 'string' ? <Breakable>{children}</Breakable> : children}</bdi>
  </PageLink>
);

interface DescribedProps {
  readonly to: string;
  readonly name: string;
  readonly description: string;
}

/** A name with its description below, for the first column of a list. */
export const DescribedLink = ({ to, name, description }: DescribedProps) => (
  <span className="pile">
    <NameLink to={to}>{name}</NameLink>
    {description !== '' && <bdi className="small quiet">{description}</bdi>}
  </span>
);

interface NamesProps {
  readonly names: readonly string[];
  readonly to: (name: string) => string;
  /** The text if there are no names. */
  readonly none?: string;
}

/** Names in a sentence, each as a link. */
export const NamesInText = ({ names, to }: Pick<NamesProps, 'names' | 'to'>) =>
  names.map((name, i) => (
    <Fragment key={name}>
      {i > 0 && ', '}
      <NameLink className="in-text" to={to(name)}>
        {name}
      </NameLink>
    </Fragment>
  ));

/** Names in a row, each as a link. */
export const NameLinks = ({ names, to, none = 'none' }: NamesProps) =>
  names.length === 0 ? (
    <span className="quiet">{none}</span>
  ) : (
    <span className="line">
      {names.map((name) => (
        <NameLink key={name} to={to(name)}>
          {name}
        </NameLink>
      ))}
    </span>
  );
