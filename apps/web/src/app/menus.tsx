import type { ReactElement } from 'react';
import { Button, type ButtonProps } from 'react-aria-components/Button';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger, Separator } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { useNavigate } from 'react-router';
import { BASE } from '../api/client';
import { signOut, useOrg, useSession } from '../api/session';
import { Icon, useGo } from '../ui';
import type { Zone } from '../ui/format';
import { useOpenAtOnce } from '../ui/use-open-at-once';
import { chooseZone, useZone } from '../ui/zone';
import css from './menus.module.css';
import { pageIn, to } from './paths';
import { chooseTheme, useTheme, type Theme } from './theme';

type Face = Pick<ButtonProps, 'className' | 'children' | 'aria-label'>;

interface OpenProps {
  readonly face: Face;
  readonly placement: 'bottom start' | 'bottom end';
  readonly children: ReactElement;
}

/** A menu that is open at once, with the button that opened it. */
function OpenMenu({ face, placement, children }: OpenProps) {
  const { button, ...state } = useOpenAtOnce();
  return (
    <MenuTrigger {...state}>
      <Button {...face} ref={button} />
      <Popover className={css.popover ?? ''} placement={placement}>
        {children}
      </Popover>
    </MenuTrigger>
  );
}

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

const ZONES: readonly (readonly [Zone, string])[] = [
  ['local', `Local time (${Intl.DateTimeFormat().resolvedOptions().timeZone})`],
  ['utc', 'UTC'],
];

interface ChoiceProps<T extends string> {
  readonly title: string;
  readonly options: readonly (readonly [T, string])[];
  readonly selected: T;
  readonly choose: (value: T) => void;
}

/** A part of a menu with a choice of one option. */
const Choice = <T extends string>({ title, options, selected, choose }: ChoiceProps<T>) => (
  <MenuSection
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[selected]}
    onSelectionChange={(keys) => [...keys].forEach((key) => choose(key as T))}
  >
    <Header className={css.head ?? ''}>{title}</Header>
    {options.map(([id, text]) => (
      <MenuItem key={id} id={id} className={css.item ?? ''} textValue={text}>
        {text}
        {selected === id && <Icon name="check" />}
      </MenuItem>
    ))}
  </MenuSection>
);

/** The choices of the pages' appearance, and the sign-out. */
export function AccountMenu(face: Face) {
  const go = useGo();
  const leave = async () => {
    await signOut();
    // Loads a new document, so that none of the shown content stays in memory.
    location.assign(`${BASE}sign-in`);
  };
  const openOther = (path: string) => () => void open(`${BASE}${path}`, '_blank', 'noopener');
  return (
    <OpenMenu face={face} placement="bottom end">
      <Menu className={css.list ?? ''} aria-label="Account">
        <Choice title="Appearance" options={THEMES} selected={useTheme()} choose={chooseTheme} />
        <Choice title="Times in" options={ZONES} selected={useZone()} choose={chooseZone} />
        <Separator className={css.separator ?? ''} />
        <MenuItem className={css.item ?? ''} textValue="Your API keys" onAction={() => void go(to.settings('keys'))}>
          Your API keys
        </MenuItem>
        <MenuItem className={css.item ?? ''} textValue="First steps" onAction={() => void go(to.firstSteps)}>
          First steps
        </MenuItem>
        <MenuItem className={css.item ?? ''} textValue="Documents" onAction={openOther('documents/index.html')}>
          Documents
        </MenuItem>
        <MenuItem className={css.item ?? ''} textValue="API reference" onAction={openOther('api/v2/doc/')}>
          API reference
        </MenuItem>
        <MenuItem className={css.item ?? ''} textValue="Sign out" onAction={() => void leave()}>
          Sign out
        </MenuItem>
      </Menu>
    </OpenMenu>
  );
}

/** Links to the caller's other organizations. */
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
