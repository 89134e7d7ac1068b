import { Fragment } from 'react';

/** A name whose lines may break behind a slash, a colon, an at sign and an underscore, beside where browsers break it: long names have many. */
export const Breakable = ({ children }: { readonly children: string }) =>
  children.split(/(?<=[/:@_])/).map((part, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ));
