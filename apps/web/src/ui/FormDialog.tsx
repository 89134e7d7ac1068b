import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Button } from './Button';
import type { IconName } from './Icon';

const load = () => import('./OpenDialog');
const OpenDialog = lazy(async () => ({ default: (await load()).OpenDialog }));

export interface Props {
  /** On the button that opens the dialog. */
  readonly trigger: string;
  readonly icon?: IconName;
  readonly look?: 'plain' | 'main' | 'danger' | 'quiet';
  readonly title: string;
  /** On the button that does it. */
  readonly does: string;
  /** Receives the values of the form. Its result replaces the form, such as a key that is shown once. */
  readonly onSubmit: (values: FormData) => Promise<ReactNode>;
  readonly children: ReactNode;
}

/**
 * A button that opens a form over the page. What the API refuses is said beside the fields it names. What dialogs are made of is loaded
 * when somebody is about to open one, not before the first view.
 */
export function FormDialog(props: Props) {
  const [wanted, want] = useState(false);
  const { trigger, icon, look } = props;
  const closed = (
    <Button
      {...(icon ? { icon } : {})}
      {...(look ? { look } : {})}
      onHoverStart={() => void load()}
      onFocus={() => void load()}
      onPress={() => want(true)}
    >
      {trigger}
    </Button>
  );
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenDialog {...props} />
    </Suspense>
  );
}
