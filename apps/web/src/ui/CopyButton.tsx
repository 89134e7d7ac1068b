import { useState } from 'react';
import { Icon } from './Icon';
import css from './CopyButton.module.css';

/** Copies a text to the clipboard, and shows that for a moment. It is a plain button, because long lists have two in each row. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copied(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <>
      <button type="button" className={css.copy} aria-label={label} onClick={() => void copy()}>
        <Icon name={isCopied ? 'check' : 'copy'} />
      </button>
      <span className="hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  );
}

/**
 * Copies a text to the clipboard and returns whether that succeeded. Browsers offer `navigator.clipboard` only on localhost and over HTTPS; elsewhere
 * a selection is copied.
 */
async function copied(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return clipboard.writeText(text).then(() => true);
  const focusedElement = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'hidden';
  // If a dialog is open, the area must be inside it, because the dialog keeps the focus.
  (focusedElement?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focusedElement instanceof HTMLElement) focusedElement.focus();
  return isCopied;
}
