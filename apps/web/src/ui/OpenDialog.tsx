import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Form } from 'react-aria-components/Form';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { ApiError } from '../api/error';
import { useOrg } from '../api/session';
import { Button } from './Button';
import { triggerOf, type Props } from './FormDialog';
import { useOpenAtOnce } from './use-open-at-once';
import css from './OpenDialog.module.css';

/** The dialog, open from the beginning, with the button that was pressed for it. */
export function OpenDialog({ trigger, look, title = trigger, ...form }: Props) {
  const { button, ...state } = useOpenAtOnce();
  return (
    <DialogTrigger {...state}>
      <Button ref={button} {...triggerOf({ trigger, look })} />
      <ModalOverlay className={css.overlay ?? ''} isDismissable>
        <Modal className={css.modal ?? ''}>
          <Dialog className={css.dialog ?? ''}>
            {({ close }) => (
              <>
                <Heading slot="title" className={css.title ?? ''}>
                  {title}
                </Heading>
                <DialogForm {...form} danger={look === 'danger'} close={close} />
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}

interface FormProps extends Pick<Props, 'does' | 'onSubmit' | 'children'> {
  readonly danger: boolean;
  readonly close: () => void;
}

function DialogForm({ does = 'Save', onSubmit, children, danger, close }: FormProps) {
  const client = useQueryClient();
  const org = useOrg();
  const [pending, setPending] = useState(false);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [outcome, setOutcome] = useState<ReactNode>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setPending(true);
    setFault(null);
    try {
      const shown = await onSubmit(new FormData(event.currentTarget), org);
      void client.invalidateQueries();
      if (shown == null) close();
      else setOutcome(shown);
    } catch (thrown) {
      setFault(thrown instanceof ApiError ? thrown : new ApiError(-1, String(thrown)));
    } finally {
      setPending(false);
    }
  };
  if (outcome !== null) {
    return (
      <div className={css.form}>
        {outcome}
        <div className={css.buttons}>
          <Button look="main" onPress={close}>
            Done
          </Button>
        </div>
      </div>
    );
  }
  return (
    <Form
      className={css.form ?? ''}
      onSubmit={(event) => void submit(event)}
      {...(fault ? { validationErrors: { ...fault.fields } } : {})}
    >
      {children}
      {fault !== null && (
        <p className={css.fault} role="alert">
          {fault.message}
          {Object.entries(fault.fields).map(([field, text]) => (
            <span key={field}>
              {field}: {text}
            </span>
          ))}
          {fault.requestId !== null && <small>Request {fault.requestId}</small>}
        </p>
      )}
      <div className={css.buttons}>
        <Button onPress={close}>Cancel</Button>
        <Button type="submit" look={danger ? 'danger' : 'main'} isPending={pending}>
          {does}
        </Button>
      </div>
    </Form>
  );
}
