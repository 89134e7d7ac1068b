import { Suspense, useState } from 'react';
import type { Schemas } from '../../api/client';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import {
  Empty,
  formatCount,
  Hash,
  Loading,
  NameLink,
  Pager,
  Panel,
  Table,
  Time,
  usePageNumber,
  Verdict,
  type Column,
} from '../../ui';
import css from './ComparePage.module.css';
import { Services } from './Services';

type Pair = Schemas['ComparedPair'];
type Kind = Pair['kind'];

const PER_PAGE = 25;
/** The parameter of the address with the page of each list. */
const PARAMETERS = {
  changed: 'changed',
  only_from: 'first',
  only_to: 'second',
  scaled: 'numbers',
  same: 'same',
} as const;

interface Sides {
  readonly a: string;
  readonly b: string;
}

/** A page of the pairs of one kind. The service makes the pairs of everything that runs on both sides. */
function usePairs({ a, b }: Sides, kind: Kind) {
  const page = usePageNumber(PARAMETERS[kind]);
  const answer = useAnswer('/compare/{org}', {}, { from: a, to: b, kind: [kind], page, per_page: PER_PAGE });
  const pager = <Pager page={page} pages={answer.total_pages} total={answer.total_count} name={PARAMETERS[kind]} />;
  return { answer, pager };
}

/** What runs on two sides: other versions first, then what runs on one side alone, then what runs on both. */
export function Difference(sides: Sides) {
  const { answer, pager } = usePairs(sides, 'changed');
  const { from, to: until, counts, pairs } = answer;
  return (
    <div className="stack">
      <Panel
        title="Other versions"
        note={counts.changed > 0 && `${formatCount(counts.changed)} of services that run in both`}
        flush
      >
        {counts.changed > 0 ? <Services pairs={pairs} from={from} to={until} /> : <NoOtherVersion counts={counts} />}
        {pager}
      </Panel>
      <List {...sides} kind="only_from" count={counts.only_from} title={`Only in ${from}`} />
      <List {...sides} kind="only_to" count={counts.only_to} title={`Only in ${until}`} />
      <List {...sides} kind="scaled" count={counts.scaled} title="In both, with other numbers of instances" />
      <List {...sides} kind="same" count={counts.same} title="The same in both" isFolded />
    </div>
  );
}

const NoOtherVersion = ({ counts }: { readonly counts: Schemas['Comparison']['counts'] }) =>
  counts.scaled + counts.same === 0 ? (
    <Empty icon="dash" title="No service runs in both" />
  ) : (
    <Empty icon="check" title="No service runs in another version" />
  );

interface ListProps extends Sides {
  readonly kind: Exclude<Kind, 'changed'>;
  /** How many pairs there are on all pages. */
  readonly count: number;
  readonly title: string;
  /** Whether the list is loaded when it is opened. */
  readonly isFolded?: boolean;
}

/** The pairs of one kind. Nothing is asked for where there are none. */
const List = ({ count, title, isFolded = false, ...list }: ListProps) => (
  <Panel title={title} note={formatCount(count)} flush>
    {count === 0 ? (
      <Empty icon="dash" title="Nothing" />
    ) : isFolded ? (
      <Folded {...list} title={title} />
    ) : (
      <Pairs {...list} title={title} />
    )}
  </Panel>
);

type PairsProps = Omit<ListProps, 'count' | 'isFolded'>;

function Folded(props: PairsProps) {
  const [isOpen, setOpen] = useState(usePageNumber(PARAMETERS[props.kind]) > 1);
  return (
    <details className={css.folded} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show what is equal</summary>
      {isOpen && (
        <Suspense fallback={<Loading />}>
          <Pairs {...props} />
        </Suspense>
      )}
    </details>
  );
}

function Pairs({ kind, title, ...sides }: PairsProps) {
  const { answer, pager } = usePairs(sides, kind);
  return (
    <>
      <Table
        label={title}
        rows={answer.pairs.flatMap(rowOf)}
        columns={kind === 'scaled' ? [...COLUMNS, INSTANCES] : COLUMNS}
        keyOf={({ fingerprint, name }) => `${fingerprint} ${name}`}
      />
      {pager}
    </>
  );
}

/** An artifact of one side or of both. */
type Row = Schemas['ComparedArtifact'] & { readonly instances: string };

function rowOf({ from, to: until }: Pair): readonly Row[] {
  const artifact = until ?? from;
  return artifact === null
    ? []
    : [{ ...artifact, instances: `${from?.instance_count ?? 0} → ${until?.instance_count ?? 0}` }];
}

const INSTANCES: Column<Row> = { head: 'Instances', kind: 'number', cell: ({ instances }) => instances };

const COLUMNS: readonly Column<Row>[] = [
  {
    head: 'Artifact',
    kind: 'main',
    cell: ({ name, flow, fingerprint }) => <ArtifactName flow={flow} fingerprint={fingerprint} name={name} />,
  },
  { head: 'Fingerprint', cell: ({ fingerprint }) => <Hash value={fingerprint} /> },
  { head: 'Verdict', cell: ({ compliant }) => <Verdict value={compliant} /> },
  {
    head: 'Flow',
    cell: ({ flow }) =>
      flow === '' ? <span className="quiet">none</span> : <NameLink to={to.flow(flow)}>{flow}</NameLink>,
  },
  {
    head: 'Commit',
    cell: ({ git_commit, commit_url }) => <Hash value={git_commit} kind="commit" href={commit_url} />,
  },
  { head: 'Running since', cell: ({ most_recent_timestamp }) => <Time at={most_recent_timestamp} /> },
];
