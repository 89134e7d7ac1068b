import { Fragment } from 'react';

/** A longer part of a name breaks anywhere, because a column is not made as wide as it. */
const PART_MAX = 24;

/** A name with additional places for line breaks: after a slash, a colon, an at sign and an underscore. Long names have many of these. */
export const Breakable = ({ children }: { readonly children: string }) =>
  children.split(/(?<=[/:@_])/).map((part, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part.length > PART_MAX ? <span className="anywhere">{part}</span> : part}
    </Fragment>
  ));

interface NameProps {
  readonly children: string;
  readonly className?: string | undefined;
}

/** A name in its own direction, with additional places for line breaks. */
export const BreakableName = ({ children, className }: NameProps) => (
  <bdi className={className}>
    <Breakable>{children}</Breakable>
  </bdi>
);
