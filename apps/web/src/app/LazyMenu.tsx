import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';

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

/** A button that opens a menu. What menus are made of is loaded when somebody is about to open one, not before the first view. */
export function LazyMenu({ menu, className, label, children }: Props) {
  const [wanted, want] = useState(false);
  const face = { className, children, ...(label === undefined ? {} : { 'aria-label': label }) };
  const closed = (
    <Button
      {...face}
      aria-haspopup="menu"
      aria-expanded={false}
      onHoverStart={() => void load()}
      onFocus={() => void load()}
      onPress={() => want(true)}
    />
  );
  if (!wanted) return closed;
  const Menu = MENUS[menu];
  return (
    <Suspense fallback={closed}>
      <Menu {...face} />
    </Suspense>
  );
}
