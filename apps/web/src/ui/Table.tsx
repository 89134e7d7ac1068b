import { useState, type ReactNode } from 'react';
import { Button } from './Button';
import { formatCount } from './format';
import css from './Table.module.css';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** `number`: aligned to the end of the cell; `main`: names the row; `text`: a few words; `wide`: takes the remaining width. */
  readonly kind?: 'number' | 'main' | 'text' | 'wide';
}

interface Props<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly empty?: ReactNode;
}

/** How many rows are shown until the reader asks for more. A page of the API has no more. */
const STEP = 100;

/** A table. On narrow screens each row becomes a block with the column heads beside the values. */
export function Table<Row>({ label, rows, columns, keyOf, empty }: Props<Row>) {
  const [shownCount, setShownCount] = useState(STEP);
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <>
      <div className={css.scroll} role="group" aria-label={label} tabIndex={0}>
        {/* The roles are explicit, because some browsers no longer treat a table with another layout as a table. */}
        <table className={css.table} role="table">
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ head, kind }) => (
                <th key={head} role="columnheader" scope="col" data-kind={kind}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.slice(0, shownCount).map((row) => (
              <tr key={keyOf(row)} role="row">
                {columns.map(({ head, cell, kind }) => (
                  <td key={head} role="cell" data-kind={kind} data-head={head}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shownCount && (
        <p className={css.rest}>
          {formatCount(shownCount)} of {formatCount(rows.length)}
          <Button onPress={() => setShownCount((count) => count + STEP)}>Show more</Button>
        </p>
      )}
    </>
  );
}
