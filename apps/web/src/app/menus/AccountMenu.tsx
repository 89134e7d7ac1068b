import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, Separator } from 'react-aria-components/Menu';
import { BASE } from '../../api/client';
import { signOut } from '../../api/session';
import { Icon, useGo } from '../../ui';
import css from './menus.module.css';
import { OpenMenu, type Face } from './OpenMenu';
import { to } from '../paths';
import { useTheme, type Theme } from '../theme';

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** Light or dark, and the way out. */
export function AccountMenu(face: Face) {
  const go = useGo();
  const [theme, choose] = useTheme();
  const leave = async () => {
    await signOut();
    // A whole new page: nothing of what was shown stays in memory.
    location.assign(`${BASE}sign-in`);
  };
  return (
    <OpenMenu face={face} placement="bottom end">
      <Menu className={css.list ?? ''} aria-label="Account">
        <MenuSection
          selectionMode="single"
          selectedKeys={[theme]}
          onSelectionChange={(keys) => choose(([...keys][0] as Theme | undefined) ?? 'system')}
        >
          <Header className={css.head ?? ''}>Appearance</Header>
          {THEMES.map(([id, text]) => (
            <MenuItem key={id} id={id} className={css.item ?? ''} textValue={text}>
              {text}
              {theme === id && <Icon name="check" />}
            </MenuItem>
          ))}
        </MenuSection>
        <Separator className={css.separator ?? ''} />
        <MenuItem className={css.item ?? ''} textValue="Your API keys" onAction={() => void go(to.settings('keys'))}>
          Your API keys
        </MenuItem>
        <MenuItem className={css.item ?? ''} textValue="Sign out" onAction={() => void leave()}>
          Sign out
        </MenuItem>
      </Menu>
    </OpenMenu>
  );
}
