import { Menu, MenuItem } from 'react-aria-components/Menu';
import { useNavigate } from 'react-router';
import { useOrg, useSession } from '../../api/session';
import css from './menus.module.css';
import { OpenMenu, type Face } from './OpenMenu';
import { pageIn } from '../paths';

/** The way to the caller's other organizations. */
export function OrganizationsMenu(face: Face) {
  const org = useOrg();
  const { organizations } = useSession();
  const navigate = useNavigate();
  return (
    <OpenMenu face={face} placement="bottom start">
      <Menu
        className={css.list ?? ''}
        aria-label="Organizations"
        selectionMode="single"
        selectedKeys={[org]}
        onAction={(name) => void navigate(pageIn(String(name)))}
      >
        {organizations.map(({ name, role }) => (
          <MenuItem key={name} id={name} className={css.item ?? ''} textValue={name}>
            <bdi>{name}</bdi>
            <small>{role}</small>
          </MenuItem>
        ))}
      </Menu>
    </OpenMenu>
  );
}
