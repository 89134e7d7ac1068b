import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { useOrg, useSession } from '../api/session';
import { Icon } from '../ui';
import css from './buttons.module.css';

const load = () => import('./menus');
const MENUS = {
  account: lazy(async () => ({ default: (await load()).AccountMenu })),
  organizations: lazy(async () => ({ default: (await load()).OrganizationsMenu })),
} as const;

interface Props {
  readonly menu: keyof typeof MENUS;
  readonly className: string;
  /** The accessible name, if it differs from the visible text. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** A button that opens a menu. The code of menus is loaded when the reader is about to open one, not before the first view. */
function LazyMenu({ menu, className, label, children }: Props) {
  const [isRequested, request] = useState(false);
  const face = { className, children, 'aria-label': label };
  const closedMenu = (
    <Button
      {...face}
      aria-haspopup="menu"
      aria-expanded={false}
      onHoverStart={() => void load()}
      onFocus={() => void load()}
      onPress={() => request(true)}
    />
  );
  if (!isRequested) return closedMenu;
  const Menu = MENUS[menu];
  return (
    <Suspense fallback={closedMenu}>
      <Menu {...face} />
    </Suspense>
  );
}

/** The signed-in user. Opens a menu. */
export function Account() {
  const { principal } = useSession();
  return (
    <LazyMenu menu="account" className={css.account ?? ''} label={`Account of ${principal.name}`}>
      <bdi>{principal.name}</bdi>
      <Icon name="down" />
    </LazyMenu>
  );
}

/** The organization of the pages. Opens a menu with the caller's other organizations. */
export function OrganizationMenu() {
  const org = useOrg();
  return (
    <LazyMenu menu="organizations" className={css.organization ?? ''}>
      <span className={css.initial} aria-hidden="true">
        {[...org][0]?.toUpperCase()}
      </span>
      <span className={css.name}>
        <bdi>{org}</bdi>
      </span>
      <span className="hidden">, choose another organization</span>
      <Icon name="down" />
    </LazyMenu>
  );
}
