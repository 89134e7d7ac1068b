import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Button, type Look } from './Button';

const load = () => import('./OpenDialog');
const OpenDialog = lazy(async () => ({ default: (await load()).OpenDialog }));

export interface Props {
  /** On the button that opens the dialog. */
  readonly trigger: string;
  /** Of that button: `main` where something new is made, `danger` where something is taken away. */
  readonly look?: Look;
  /** The heading: `trigger` unless it is given. */
  readonly title?: string;
  /** On the button that does it: `Save` unless it is given. */
  readonly does?: string;
  /**
   * Receives the values of the form, and the organization of the page. Its result replaces the form, such as a key that is shown once;
   * without one the dialog closes.
   */
  readonly onSubmit: (values: FormData, org: string) => Promise<ReactNode | void>;
  /** Whether it is open from the beginning: its button was pressed before the form was loaded. */
  readonly opened?: boolean;
  readonly children: ReactNode;
}

/** The button that opens a dialog, by what the dialog is for. */
export const triggerOf = ({ trigger, look = 'plain' }: Pick<Props, 'trigger' | 'look'>) => ({
  look,
  icon: look === 'main' ? ('plus' as const) : undefined,
  children: trigger,
});

/**
 * A button that opens a form over the page. What the API refuses is said beside the fields it names. What dialogs are made of is loaded
 * when somebody is about to open one, not before the first view.
 */
export function FormDialog(props: Props) {
  const [isRequested, request] = useState(props.opened === true);
  const closed = (
    <Button
      {...triggerOf(props)}
      onHoverStart={() => void load()}
      onFocus={() => void load()}
      onPress={() => request(true)}
    />
  );
  if (!isRequested) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenDialog {...props} />
    </Suspense>
  );
}

interface ConfirmProps {
  /** On the button that opens the dialog, and on the one that does it. */
  readonly does: string;
  readonly title: string;
  /** Receives the organization of the page. */
  readonly onConfirm: (org: string) => Promise<unknown>;
  /** What comes of it. */
  readonly children: ReactNode;
}

/** A button that takes something away, once what comes of it was read. */
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

/** The texts of some fields of a form, by their names. */
export const textsOf = <Name extends string>(values: FormData, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, String(values.get(name))])) as Record<Name, string>;
