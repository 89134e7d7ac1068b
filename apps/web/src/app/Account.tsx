import { Button } from 'react-aria-components/Button';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger, Separator } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { useNavigate } from 'react-router';
import { BASE } from '../api/client';
import { signOut, useOrg, useSession } from '../api/session';
import { Icon } from '../ui';
import css from './menus.module.css';
import { to } from './paths';
import { useTheme, type Theme } from './theme';

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** Who is signed in, light or dark, and the way out. */
export function Account() {
  const { principal } = useSession();
  const org = useOrg();
  const navigate = useNavigate();
  const [theme, choose] = useTheme();
  const leave = async () => {
    await signOut();
    // A whole new page: nothing of what was shown stays in memory.
    location.assign(`${BASE}sign-in`);
  };
  return (
    <MenuTrigger>
      <Button className={css.account ?? ''} aria-label={`Account of ${principal.name}`}>
        <bdi>{principal.name}</bdi>
        <Icon name="down" />
      </Button>
      <Popover className={css.popover ?? ''} placement="bottom end">
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
          <MenuItem
            className={css.item ?? ''}
            textValue="Your API keys"
            onAction={() => void navigate(to.settings(org, 'keys'))}
          >
            Your API keys
          </MenuItem>
          <MenuItem className={css.item ?? ''} textValue="Sign out" onAction={() => void leave()}>
            Sign out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
