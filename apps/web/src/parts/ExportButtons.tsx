import { csvOf } from '@assurance/kernel/shown/csv';
import { useState } from 'react';
import { useOrg } from '../api/session';
import { Button } from '../ui';
import { download } from './download';

/** The columns of a CSV file: each has a name, and a function that returns the value of a row. */
export type ExportColumns<Row> = readonly (readonly [
  name: string,
  of: (row: Row) => string | number | null | undefined,
])[];

/** The position of a page in a list, from its link. It contains the time and the row before the page, which stay the same while more rows come. */
type Position = Readonly<Record<string, string>>;

interface LoadedPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** The link to the next page, or its position. */
  readonly next: string | Position | undefined;
}

interface Props<Row> {
  /** The beginning of the file's name. */
  readonly name: string;
  readonly columns: ExportColumns<Row>;
  /** Reads a page of the list. Without a position, it reads the first page. */
  readonly load: (position: Position) => Promise<LoadedPage<Row>>;
  /** The parameters of a link with the position of its page. */
  readonly positions?: readonly string[];
}

const POSITIONS = ['after'] as const;

/**
 * Saves all rows that match the filters of a list as CSV or JSON. It reads the pages of the API one by one. No row appears twice, even if more rows
 * come meanwhile.
 */
export function ExportButtons<Row>({ name, columns, load, positions = POSITIONS }: Props<Row>) {
  const org = useOrg();
  const [progress, setProgress] = useState<string | null>(null);
  const save = async (kind: 'csv' | 'json') => {
    setProgress('Exporting');
    try {
      const rows: Row[] = [];
      for (let position: Position | null = {}; position !== null;) {
        const loadedPage: LoadedPage<Row> = await load(position);
        rows.push(...loadedPage.rows);
        setProgress(`Exporting ${Math.min(100, Math.round((rows.length / (loadedPage.total || 1)) * 100))}%`);
        position = positionOf(loadedPage.next, positions);
      }
      const heads = columns.map(([head]) => head);
      const lines = () => rows.map((row) => columns.map(([, of]) => of(row)));
      const text = kind === 'json' ? JSON.stringify(rows, null, 1) : csvOf([heads, ...lines()]);
      download(`${name}-${org}.${kind}`, text, kind === 'json' ? 'application/json' : undefined);
      setProgress(null);
    } catch (fault) {
      setProgress(fault instanceof Error ? `Failed: ${fault.message}` : 'Failed');
    }
  };
  return (
    <>
      <Button icon="download" onPress={() => void save('csv')}>
        Export CSV
      </Button>
      <Button icon="download" onPress={() => void save('json')}>
        Export JSON
      </Button>
      <span className="small quiet" role="status">
        {progress}
      </span>
    </>
  );
}

/** The position of the page that a link leads to; null without a link. */
function positionOf(link: string | Position | undefined, names: readonly string[]): Position | null {
  if (link === undefined) return null;
  if (typeof link !== 'string') return link;
  const query = new URL(link).searchParams;
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? '']));
}
