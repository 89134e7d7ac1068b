import type { Schemas } from '../../api/client';
import { useListPage } from '../../api/use-answer';
import { to } from '../../app/paths';
import {
  Duration,
  Empty,
  formatDay,
  PageLink,
  Pager,
  Panel,
  RecordedTime,
  Table,
  useGo,
  useNow,
  usePageNumber,
  Verdict,
  type Column,
} from '../../ui';
import { formatMoment } from '../../ui/format';
import { useZone } from '../../ui/zone';
import css from './SnapshotTimeline.module.css';

type Item = Schemas['SnapshotListItem'];

const PER_PAGE = 30;

/** The snapshots of an environment: how long each was current, and whether it complied. */
export function SnapshotTimeline({ env }: { readonly env: string }) {
  const page = usePageNumber();
  const [snapshots, more] = useListPage('/snapshots/{org}/{env}', { env }, { page, per_page: PER_PAGE });
  return (
    <Panel title="Snapshots" flush note="A snapshot is made whenever what runs changes.">
      {snapshots.length > 1 && <Strip env={env} snapshots={snapshots} />}
      <Table
        label="Snapshots"
        rows={snapshots}
        columns={columnsFor(env)}
        keyOf={({ index }) => String(index)}
        empty={<Empty icon="clock" title="No snapshot yet" />}
      />
      <Pager page={page} pages={{ more }} />
    </Panel>
  );
}

/** Null if nothing judged it. */
const verdictOf = ({ compliant, is_judged }: Item) => (is_judged ? compliant : null);

const columnsFor = (env: string): readonly Column<Item>[] => [
  {
    head: 'Snapshot',
    kind: 'main',
    cell: ({ index }) => <PageLink to={to.snapshot(env, index)}>Snapshot {index}</PageLink>,
  },
  { head: 'Verdict', cell: (snapshot) => <Verdict value={verdictOf(snapshot)} /> },
  { head: 'From', cell: ({ from }) => <RecordedTime at={from} /> },
  { head: 'In force for', kind: 'number', cell: ({ duration }) => <Duration seconds={duration} /> },
  {
    head: 'What changed',
    kind: 'wide',
    cell: ({ index }) =>
      index > 1 ? (
        <PageLink to={to.compare(`${env}#${index - 1}`, `${env}#${index}`)}>Compare with {index - 1}</PageLink>
      ) : (
        'The first one'
      ),
  },
];

interface StripProps {
  readonly env: string;
  readonly snapshots: readonly Item[];
}

/**
 * The same data as a time axis. Lengths are the times for which snapshots were current, and a click opens a snapshot. The table below has the same
 * content in words.
 */
function Strip({ env, snapshots }: StripProps) {
  const go = useGo();
  const zone = useZone();
  const now = useNow();
  const spans = [...snapshots]
    .reverse()
    .map((snapshot) => ({ ...snapshot, until: snapshot.to === 0 ? now : snapshot.to }));
  const begin = spans[0]?.from ?? now;
  const end = spans.at(-1)?.until ?? now;
  const at = (time: number) => ((time - begin) / Math.max(1, end - begin)) * 1000;
  return (
    <div className={css.strip} aria-hidden="true">
      <svg viewBox="0 0 1000 20" preserveAspectRatio="none">
        {spans.map(({ until, ...snapshot }) => (
          <rect
            key={snapshot.index}
            data-compliant={verdictOf(snapshot)}
            x={at(snapshot.from)}
            width={Math.max(1.5, at(until) - at(snapshot.from) - 1.5)}
            height="20"
            onClick={() => void go(to.snapshot(env, snapshot.index))}
          >
            <title>{`Snapshot ${snapshot.index}, from ${formatMoment(snapshot.from, now, zone)}`}</title>
          </rect>
        ))}
      </svg>
      <p>
        <span>{formatDay(begin)}</span>
        <span>{formatDay(end)}</span>
      </p>
    </div>
  );
}
