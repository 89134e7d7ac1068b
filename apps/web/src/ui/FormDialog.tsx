import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from './Button';
import { type Props, triggerOf } from './dialog-trigger';

const load = () => import('./OpenDialog');
const OpenDialog = lazy(async () => ({ default: (await load()).OpenDialog }));

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
