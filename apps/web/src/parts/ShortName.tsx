import { BreakableName } from '../ui';
import { Breakable } from '../ui/Breakable';
import { shortName } from './short-name';

interface Props {
  /** The whole name. */
  readonly name: string;
  /** The part of the short name that is shown; all of it if left out. */
  readonly shown?: string | undefined;
  readonly className?: string | undefined;
}

/** The name of an artifact with short digits. A pointer shows the whole name, and a screen reader reads it. */
export function ShortName({ name, shown, className }: Props) {
  const short = shortName(name);
  const text = shown ?? short;
  if (short === name) return <BreakableName className={className}>{text}</BreakableName>;
  return (
    <bdi className={className} title={name}>
      <span aria-hidden="true">
        <Breakable>{text}</Breakable>
      </span>
      <span className="hidden">{name}</span>
    </bdi>
  );
}
