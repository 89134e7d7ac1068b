import type { ReactElement } from 'react';
import { Button, type ButtonProps } from 'react-aria-components/Button';
import { MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { useOpenAtOnce } from '../../ui/use-open-at-once';
import css from './menus.module.css';

export type Face = Pick<ButtonProps, 'className' | 'children' | 'aria-label'>;

interface Props {
  readonly face: Face;
  readonly placement: 'bottom start' | 'bottom end';
  readonly children: ReactElement;
}

/** A menu that is open from the beginning, with the button that was pressed for it. */
export function OpenMenu({ face, placement, children }: Props) {
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
