import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button';
import { Icon, type IconName } from './Icon';
import { PageLink } from './PageLink';
import css from './Button.module.css';

export type Look = 'plain' | 'main' | 'danger' | 'quiet';

interface Props extends Omit<ButtonProps, 'className' | 'children'> {
  readonly ref?: React.Ref<HTMLButtonElement>;
  readonly look?: Look;
  readonly icon?: IconName | undefined;
  readonly children: ReactNode;
}

export const Button = ({ look = 'plain', icon, children, ...rest }: Props) => (
  <AriaButton {...rest} className={css.button ?? ''} data-look={look}>
    {icon && <Icon name={icon} />}
    {children}
  </AriaButton>
);

interface LinkProps {
  readonly to: string;
  readonly look?: Look;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

/** A link to another page of the organization that looks like a button. */
export const ButtonLink = ({ to, look = 'plain', icon, children }: LinkProps) => (
  <PageLink to={to} className={css.button} data-look={look}>
    {icon && <Icon name={icon} />}
    {children}
  </PageLink>
);

/** A link to a file of the API, which the browser saves. */
export const DownloadLink = ({ href, children }: { readonly href: string; readonly children: ReactNode }) => (
  <a href={href} download className={css.button} data-look="plain">
    <Icon name="download" />
    {children}
  </a>
);
