import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Icon } from './Icon';
import css from './CopyButton.module.css';

/** Puts a text on the clipboard, and says so for a moment. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <>
      <Button className={css.copy ?? ''} aria-label={label} onPress={() => void copy()}>
        <Icon name={copied ? 'check' : 'copy'} />
      </Button>
      <span className="hidden" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}
