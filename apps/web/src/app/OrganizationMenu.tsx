import { Button } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { useNavigate } from 'react-router';
import { useOrg, useSession } from '../api/session';
import { Icon } from '../ui';
import css from './menus.module.css';
import { to } from './paths';

/** The organization whose pages these are, and the way to the caller's others. */
export function OrganizationMenu() {
  const org = useOrg();
  const { organizations } = useSession();
  const navigate = useNavigate();
  return (
    <MenuTrigger>
      <Button className={css.organization ?? ''}>
        <span className={css.initial} aria-hidden="true">
          {[...org][0]?.toUpperCase()}
        </span>
        <span className={css.name}>
          <bdi>{org}</bdi>
        </span>
        <span className="hidden">, choose another organization</span>
        <Icon name="down" />
      </Button>
      <Popover className={css.popover ?? ''} placement="bottom start">
        <Menu
          className={css.list ?? ''}
          aria-label="Organizations"
          selectionMode="single"
          selectedKeys={[org]}
          onAction={(name) => void navigate(to.organization(String(name)))}
        >
          {organizations.map(({ name, role }) => (
            <MenuItem key={name} id={name} className={css.item ?? ''} textValue={name}>
              <bdi>{name}</bdi>
              <small>{role}</small>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
