import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Form } from 'react-aria-components/Form';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { ApiError } from '../api/error';
import { useOrg } from '../api/session';
import { Button } from './Button';
import { type Props, triggerOf } from './dialog-trigger';
import { useOpenAtOnce } from './use-open-at-once';
import css from './OpenDialog.module.css';

/** The dialog, open at once, with the button that opened it. */
export function OpenDialog({ trigger, look, title = trigger, ...form }: Props) {
  const { button, ...state } = useOpenAtOnce();
  const [holds, setHolds] = useState<Holds>('nothing');
  return (
    <DialogTrigger {...state}>
      <Button ref={button} {...triggerOf({ trigger, look })} />
      <ModalOverlay
        className={css.overlay ?? ''}
        isDismissable={holds === 'nothing'}
        isKeyboardDismissDisabled={holds === 'an outcome'}
      >
        <Modal className={css.modal ?? ''}>
          <Dialog className={css.dialog ?? ''}>
            {({ close }) => (
              <>
                <Heading slot="title" className={css.title ?? ''}>
                  {title}
                </Heading>
                <DialogForm {...form} danger={look === 'danger'} close={close} setHolds={setHolds} />
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}

/**
 * What closing the dialog would lose. With an input, Escape closes it but a click beside it does not. With an outcome, which is shown only once,
 * neither closes it.
 */
type Holds = 'nothing' | 'an input' | 'an outcome';

interface FormProps extends Pick<Props, 'does' | 'onSubmit' | 'children'> {
  readonly setHolds: (holds: Holds) => void;
  readonly danger: boolean;
  readonly close: () => void;
}

function DialogForm({ does = 'Save', onSubmit, children, danger, close, setHolds }: FormProps) {
  const client = useQueryClient();
  const org = useOrg();
  const [pending, setPending] = useState(false);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [formFields, setFormFields] = useState<ReadonlySet<string>>(new Set());
  const [outcome, setOutcome] = useState<ReactNode>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setPending(true);
    setFault(null);
    try {
      const result = await onSubmit(new FormData(form), org);
      void client.invalidateQueries();
      if (result == null) close();
      else {
        setOutcome(result);
        setHolds('an outcome');
      }
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(-1, String(error)));
      setFormFields(new Set(new FormData(form).keys()));
    } finally {
      setPending(false);
    }
  };
  // The first change of a field removes its error. If leaving the field removed it, the button would move under the pointer that presses it.
  const onInput = ({ target }: FormEvent) => {
    setHolds('an input');
    setFault((previous) => previous && withoutField(previous, (target as HTMLInputElement).name));
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
    <div onInput={onInput}>
      <Form
        className={css.form ?? ''}
        onSubmit={(event) => void submit(event)}
        validationBehavior="aria"
        {...(fault ? { validationErrors: { ...fault.fields } } : {})}
      >
        {children}
        {fault !== null && (
          <p className={css.fault} role="alert">
            {Object.keys(fault.fields).length === 0 ? fault.message : 'Not saved: something here has to change.'}
            {otherFields(fault, formFields).map(([field, text]) => (
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
    </div>
  );
}

/** The errors that no field of the form shows. */
const otherFields = ({ fields }: ApiError, formFields: ReadonlySet<string>) =>
  Object.entries(fields).filter(([field]) => !formFields.has(field));

function withoutField(fault: ApiError, name: string): ApiError | null {
  const { [name]: removed, ...fields } = fault.fields;
  if (removed === undefined) return fault;
  return Object.keys(fields).length === 0 ? null : new ApiError(fault.status, fault.message, fields, fault.requestId);
}
