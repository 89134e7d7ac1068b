import { CopyButton } from './CopyButton';
import { SafeLink } from './SafeLink';
import { shortHash } from './format';
import css from './Hash.module.css';

interface Props {
  readonly value: string;
  /** Where the source shows it. */
  readonly href?: string | null;
  /** Such as `fingerprint`; what the button to copy is named by. */
  readonly kind?: string;
}

/** A fingerprint or commit: its first digits, the whole of it as title and by the button. */
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
