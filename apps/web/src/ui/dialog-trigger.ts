import type { ReactNode } from 'react';
import type { Look } from './Button';

export interface Props {
  /** The text of the button that opens the dialog. */
  readonly trigger: string;
  /** The look of that button: `main` if it creates something, `danger` if it removes something. */
  readonly look?: Look;
  /** The heading; `trigger` if left out. */
  readonly title?: string;
  /** The text of the submit button; `Save` if left out. */
  readonly does?: string;
  /**
   * Receives the values of the form and the organization of the page. Its result replaces the form, such as a key that is shown once. Without a
   * result the dialog closes.
   */
  readonly onSubmit: (values: FormData, org: string) => Promise<ReactNode | void>;
  /** Whether the dialog is open at once, because its button was pressed before the form was loaded. */
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** The properties of the button that opens a dialog. */
export const triggerOf = ({ trigger, look = 'plain' }: Pick<Props, 'trigger' | 'look'>) => ({
  look,
  icon: look === 'main' ? ('plus' as const) : undefined,
  children: trigger,
});
