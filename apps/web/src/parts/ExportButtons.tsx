import { useState } from 'react';
import { useOrg } from '../api/session';
import { Button } from '../ui';
import { csvOf } from './csv';
import { download } from './download';

/** The columns of a file of CSV, each with what it holds of a row. */
export type ExportColumns<Row> = readonly (readonly [
  name: string,
  of: (row: Row) => string | number | null | undefined,
])[];

/** Where a page of a list stands, as its link says: its time and the row before it stay while more rows come. */
type Position = Readonly<Record<string, string>>;

interface Loaded<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** The link to the next page, or where it stands. */
  readonly next: string | Position | undefined;
}

interface Props<Row> {
  /** Begins the file's name. */
  readonly name: string;
  readonly columns: ExportColumns<Row>;
  /** Reads a page of the list; the first one without a position. */
  readonly load: (position: Position) => Promise<Loaded<Row>>;
  /** The parameters of a link that say where its page stands. */
  readonly positions?: readonly string[];
}

const POSITIONS = ['after'] as const;

/** Saves all rows that the filters of a list name as CSV or as JSON, page by page of the API. No row is in it twice, however many come meanwhile. */
export function ExportButtons<Row>({ name, columns, load, positions = POSITIONS }: Props<Row>) {
  const org = useOrg();
  const [progress, setProgress] = useState<string | null>(null);
  const save = async (kind: 'csv' | 'json') => {
    setProgress('Exporting');
    try {
      const rows: Row[] = [];
      for (let position: Position | null = {}; position !== null;) {
        const loaded: Loaded<Row> = await load(position);
        rows.push(...loaded.rows);
        setProgress(`Exporting ${Math.min(100, Math.round((rows.length / (loaded.total || 1)) * 100))} %`);
        position = positionOf(loaded.next, positions);
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

/** The position of the page that a link leads to; null where there is none. */
function positionOf(link: string | Position | undefined, names: readonly string[]): Position | null {
  if (link === undefined) return null;
  if (typeof link !== 'string') return link;
  const query = new URL(link).searchParams;
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? '']));
}
