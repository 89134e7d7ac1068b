import { CopyButton } from './CopyButton';
import css from './CodeLines.module.css';

/** Source text or shell commands, with a button that copies all of it. */
export const CodeLines = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div className={css.frame}>
    <pre className={css.lines} tabIndex={0} role="group" aria-label={label} dir="ltr">
      {text}
    </pre>
    <div className={css.copy}>
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  </div>
);
