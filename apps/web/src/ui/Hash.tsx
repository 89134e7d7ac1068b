import { CopyButton } from './CopyButton';
import { SafeLink } from './SafeLink';
import { shortHash } from './format';
import css from './Hash.module.css';

interface Props {
  readonly value: string;
  /** The address of its source page, if there is one. */
  readonly href?: string | null;
  /** The kind, such as `fingerprint`, for the name of the copy button. */
  readonly kind?: string;
}

/** A fingerprint or commit. It shows the first digits; the title and the copy button have all digits. */
export function Hash({ value, href, kind = 'fingerprint' }: Props) {
  if (value === '') return <span className="quiet">unknown</span>;
  const digits = (
    <code title={value} dir="ltr">
      {shortHash(value, kind === 'commit' ? 7 : 12)}
    </code>
  );
  return (
    <span className={css.hash}>
      <SafeLink href={href}>{digits}</SafeLink>
      <CopyButton text={value} label={`Copy ${kind} ${shortHash(value)}`} />
    </span>
  );
}
