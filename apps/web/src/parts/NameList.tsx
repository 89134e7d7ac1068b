import { NameLink } from '../ui';
import { FirstFew } from './FirstFew';
import css from './parts.module.css';

interface Props {
  readonly names: readonly string[];
  readonly to: (name: string) => string;
  /** The name of the things, such as `environments`. */
  readonly kind: string;
}

/** How many names are shown at first. */
const SHOWN = 6;

/** Names in a row, each as a link. Many of them begin with a few. */
export const NameList = ({ names, to, kind }: Props) =>
  names.length === 0 ? (
    <span className="quiet">none</span>
  ) : (
    <div>
      <FirstFew
        className={css.names}
        count={SHOWN}
        kind={kind}
        items={names.map((name) => (
          <NameLink to={to(name)}>{name}</NameLink>
        ))}
      />
    </div>
  );
