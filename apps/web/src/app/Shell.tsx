import { useEffect, useRef, useState } from 'react';
import { Link, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { Button } from 'react-aria-components/Button';
import { useOrg, useSession } from '../api/session';
import { Empty, Guarded, Icon, Page } from '../ui';
import { Connection } from './Connection';
import { Live } from './Live';
import { Account, OrganizationMenu } from './MenuButtons';
import { Navigation } from './Navigation';
import { Search } from './Search';
import css from './Shell.module.css';

/** The frame around all pages of an organization. */
export const Shell = () => (
  <Guarded>
    <Frame />
  </Guarded>
);

function Frame() {
  const { pathname } = useLocation();
  const { state } = useNavigation();
  const [open, setOpen] = useState(false);
  useFocusOnTitle(pathname);
  const menu = useRef<HTMLButtonElement>(null);
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const endController = new AbortController();
    const { signal } = endController;
    const press = ({ target }: PointerEvent) => {
      if (![menu, side].some(({ current }) => current?.contains(target as Node))) setOpen(false);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      menu.current?.focus();
    };
    document.addEventListener('pointerdown', press, { signal });
    document.addEventListener('keydown', key, { signal });
    return () => endController.abort();
  }, [open]);
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#title" onClick={focusTitle}>
        Skip to content
      </a>
      <header className={css.top}>
        <Button
          ref={menu}
          className={css.menu ?? ''}
          aria-label="Navigation"
          aria-expanded={open}
          onPress={() => setOpen((wasOpen) => !wasOpen)}
        >
          <Icon name="menu" />
        </Button>
        <Search />
        <Account />
      </header>
      <div
        ref={side}
        className={css.side}
        data-open={open || undefined}
        onClick={(event) => closes(event.target) && setOpen(false)}
      >
        <div className={css.brand}>
          <OrganizationMenu />
        </div>
        <Navigation />
      </div>
      <main className={css.main} aria-busy={state === 'loading'}>
        <Connection />
        <Member />
      </main>
      <Live />
      <ScrollRestoration />
    </div>
  );
}

/** Shows the page to members of its organization. */
function Member() {
  const org = useOrg();
  const { organizations } = useSession();
  if (organizations.some(({ name }) => name === org)) return <Outlet key={org} />;
  return (
    <Page title="No access">
      <Empty icon="policies" title="You have no access to this organization">
        You are not a member of an organization <bdi>{org}</bdi>, or there is none.{' '}
        <Link to="/">Go to your organization</Link>.
      </Empty>
    </Page>
  );
}

/** Whether the click was on a link to another page. */
const closes = (target: EventTarget) => target instanceof Element && target.closest('a') !== null;

function focusTitle(event: React.MouseEvent) {
  event.preventDefault();
  document.getElementById('title')?.focus();
}

/**
 * Moves the focus to the title of a new page, so that readers with a screen reader or keyboard begin there. It waits until the title is there, and
 * stops if the focus has moved elsewhere meanwhile.
 */
function useFocusOnTitle(pathname: string) {
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (focused()) return;
    const initialElement = document.activeElement;
    const waiting = new MutationObserver(() => {
      if (document.activeElement !== initialElement && document.activeElement !== document.body) waiting.disconnect();
      else if (focused()) waiting.disconnect();
    });
    waiting.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['style'] });
    return () => waiting.disconnect();
  }, [pathname]);
}

/** Focuses the title if there is a visible one, and returns whether there is. */
function focused(): boolean {
  const title = document.getElementById('title');
  if (!title?.checkVisibility()) return false;
  title.focus({ preventScroll: true });
  return true;
}
