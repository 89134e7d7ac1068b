import { Fragment } from 'react';

/** A name with additional places for line breaks: after a slash, a colon, an at sign and an underscore. Long names have many of these. */
export const Breakable = ({ children }: { readonly children: string }) =>
  children.split(/(?<=[/:@_])/).map((part, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ));

/** A name in its own direction, with additional places for line breaks. */
export const BreakableName = ({ children, className }: { readonly children: string; readonly className?: string }) => (
  <bdi className={className}>
    <Breakable>{children}</Breakable>
  </bdi>
);
