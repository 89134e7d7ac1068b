import type { ReactNode } from 'react';
import { ApiError } from '../api/error';
import { Button } from './Button';
import { Icon, type IconName } from './Icon';
import css from './States.module.css';
import { useTitle } from './use-title';

interface NoteProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}

/** The empty state of a list: it says that there are no items, and what to do. */
export const Empty = ({ icon, title, children }: NoteProps) => (
  <div className={css.note}>
    <Icon name={icon} />
    <p className={css.title}>{title}</p>
    {children !== undefined && <div className={css.text}>{children}</div>}
  </div>
);

/** Whether files of a page could not be loaded, because the service does not answer or a newer release has replaced the files. */
export const isUnloaded = (fault: unknown): boolean =>
  fault instanceof Error && /dynamically imported module|preload/i.test(fault.message);

/** Whether retention dropped what was requested. */
export const isGone = (fault: unknown): boolean => fault instanceof ApiError && fault.status === 410;

const noteOf = (fault: unknown): { icon: IconName; title: string; text: string } => {
  if (isUnloaded(fault)) {
    const text = 'The service does not answer, or was updated. The page is loaded again by itself.';
    return { icon: 'clock', title: 'This page could not be loaded', text };
  }
  const status = fault instanceof ApiError ? fault.status : -1;
  const message = fault instanceof Error ? fault.message : 'Something unexpected happened.';
  if (status === 0) return { icon: 'cross', title: 'The service does not answer', text: 'Is it reachable from here?' };
  if (status === 403) return { icon: 'policies', title: 'You have no access to this', text: message };
  if (status === 404) return { icon: 'search', title: 'There is nothing here', text: message };
  if (isGone(fault)) return { icon: 'clock', title: 'This is no longer kept', text: message };
  if (status === 429 || status === 503) return { icon: 'clock', title: 'The service is busy', text: message };
  return { icon: 'cross', title: 'This did not work', text: message };
};

interface FailureProps {
  readonly fault: unknown;
  readonly onRetry?: () => void;
  /** Whether it replaces a whole page. */
  readonly page?: boolean;
}

/** An error message with the id of the request, which is also in the log. */
export function Failure({ fault, onRetry, page = false }: FailureProps) {
  const { icon, title, text } = noteOf(fault);
  useTitle(page ? title : null);
  const requestId = fault instanceof ApiError ? fault.requestId : null;
  return (
    <div className={css.note} role="alert">
      <Icon name={icon} />
      {page ? (
        <h1 className={css.title} id="title" tabIndex={-1}>
          {title}
        </h1>
      ) : (
        <p className={css.title}>{title}</p>
      )}
      <p className={css.text}>{text}</p>
      {requestId !== null && (
        <p className={css.request}>
          Request <code>{requestId}</code>
        </p>
      )}
      {onRetry && !isGone(fault) && <Button onPress={onRetry}>Try again</Button>}
    </div>
  );
}

/** Placeholder lines while content loads. */
export const Loading = ({ lines = 4 }: { readonly lines?: number }) => (
  <div className={css.loading} role="status" data-loading>
    <span className="hidden">Loading</span>
    {Array.from({ length: lines }, (_, i) => (
      <span key={i} className={css.line} />
    ))}
  </div>
);
