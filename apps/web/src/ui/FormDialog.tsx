import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Button, type Look } from './Button';

const load = () => import('./OpenDialog');
const OpenDialog = lazy(async () => ({ default: (await load()).OpenDialog }));

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

/**
 * A button that opens a form over the page. Errors of the API are shown beside their fields. The code of dialogs is loaded when the reader is about
 * to open one, not before the first view.
 */
export function FormDialog(props: Props) {
  const [isRequested, request] = useState(props.isOpen === true);
  const openButton = (
    <Button
      {...triggerOf(props)}
      onHoverStart={() => void load()}
      onFocus={() => void load()}
      onPress={() => request(true)}
    />
  );
  if (!isRequested) return openButton;
  return (
    <Suspense fallback={openButton}>
      <OpenDialog {...props} />
    </Suspense>
  );
}

interface ConfirmProps {
  /** The text of the button that opens the dialog, and of the button that confirms. */
  readonly does: string;
  readonly title: string;
  /** Receives the organization of the page. */
  readonly onConfirm: (org: string) => Promise<unknown>;
  /** The consequences, as text. */
  readonly children: ReactNode;
}

/** A button that removes something, after the reader has confirmed the consequences. */
export const ConfirmDialog = ({ does, title, onConfirm, children }: ConfirmProps) => (
  <FormDialog
    trigger={does}
    look="danger"
    title={title}
    does={does}
    onSubmit={async (_values, org) => {
      await onConfirm(org);
    }}
  >
    <p>{children}</p>
  </FormDialog>
);

/** The texts of some fields of a form, by name. */
export const textsOf = <Name extends string>(values: FormData, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, String(values.get(name))])) as Record<Name, string>;
