import { useSnapshot } from '../../api/snapshots';
import { to } from '../../app/paths';
import { RanBefore } from '../../parts/RanBefore';
import { Badge, Empty, Guarded, NameLink, PageLink, Table, Time } from '../../ui';
import type { Run } from './runs';

/** For how many runs the replaced artifact is requested. */
const ASKED = 20;

interface Props {
  readonly runs: readonly Run[];
  readonly fingerprint: string;
}

/** Where and when an artifact ran, and what it replaced there. */
export const Runs = ({ runs, fingerprint }: Props) => (
  <Table
    label="Where it ran"
    rows={runs}
    keyOf={({ env, from, until }) => `${env} ${from} ${until}`}
    empty={<Empty icon="environments" title="It ran nowhere yet" />}
    columns={[
      { head: 'Environment', kind: 'main', cell: ({ env }) => <NameLink to={to.environment(env)}>{env}</NameLink> },
      { head: 'From', cell: ({ env, from, started }) => <Moment env={env} at={from} snapshot={started} /> },
      {
        head: 'Until',
        cell: ({ env, until, stopped }) =>
          until === null ? <Badge tone="none">Runs now</Badge> : <Moment env={env} at={until} snapshot={stopped} />,
      },
      {
        head: 'Replaced',
        cell: (run) =>
          run.started !== null && runs.indexOf(run) < ASKED ? (
            <Guarded lines={1} dropped={<span className="quiet">no longer kept</span>}>
              <ReplacedArtifact env={run.env} index={run.started} fingerprint={fingerprint} />
            </Guarded>
          ) : (
            <span className="quiet">unknown</span>
          ),
      },
    ]}
  />
);

interface MomentProps {
  readonly env: string;
  readonly at: number | null;
  readonly snapshot: number | null;
}

const Moment = ({ env, at, snapshot }: MomentProps) => (
  <span className="pile">
    <Time at={at} />
    {snapshot !== null && (
      <PageLink className="small" to={to.snapshot(env, snapshot)}>
        Snapshot {snapshot}
      </PageLink>
    )}
  </span>
);

interface ReplacedProps {
  readonly env: string;
  readonly index: number;
  readonly fingerprint: string;
}

function ReplacedArtifact({ env, index, fingerprint }: ReplacedProps) {
  const { artifacts } = useSnapshot(env, String(index), { show: 'changed', search: fingerprint, perPage: 1 });
  const [artifact] = artifacts;
  return artifact === undefined ? <span className="quiet">unknown</span> : <RanBefore env={env} artifact={artifact} />;
}
