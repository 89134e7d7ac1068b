import type { Schemas } from '../../api/client';
import { useAnswer } from '../../api/use-answer';
import { ComponentVersion } from '../../parts/components/ComponentName';
import { ComponentTable, keyOfComponent } from '../../parts/components/ComponentTable';
import { Unjudged } from '../../parts/components/Unjudged';
import { Empty, formatCount, Pager, Panel, Table, usePageNumber } from '../../ui';
import { type Change, changesOf } from './component-changes';

type Component = Schemas['RunningComponent'];

const PER_PAGE = 100;
const NO_OTHER = 'No other component is known';

interface Props {
  readonly a: string;
  readonly b: string;
}

/** A page of each list. Lists on the same page share a request. */
function useDifference({ a, b }: Props, page: number) {
  return useAnswer('/components/{org}/compare', {}, { snappish1: a, snappish2: b, page, per_page: PER_PAGE });
}

/** Components that only one of two snapshots has, by the SBOMs of the artifacts that ran. */
export function ComparedComponents(snapshots: Props) {
  const [page, otherPage] = [usePageNumber('first'), usePageNumber('second')];
  const { snappish1: left, unchanged_count: unchanged } = useDifference(snapshots, page);
  const { snappish2: right } = useDifference(snapshots, otherPage);
  const { changes, first, second } = changesOf(left.components, right.components);
  const [leftId, rightId] = [left.snapshot_id, right.snapshot_id];
  return (
    <div className="stack">
      <Unjudged answer={left} scope={<SnapshotScope of={leftId} />} />
      {leftId !== rightId && <Unjudged answer={right} scope={<SnapshotScope of={rightId} />} />}
      <Panel title="Other versions" note={`${formatCount(unchanged)} components are the same in both`} flush>
        <Changes
          changes={changes}
          leftId={leftId}
          rightId={rightId}
          isWhole={left.total_pages <= 1 && right.total_pages <= 1}
        />
      </Panel>
      <Panel title={`Only in ${leftId}`} flush>
        <ComponentTable label={`Only in ${leftId}`} rows={first} none={NO_OTHER} />
        <Pager page={page} pages={left.total_pages} total={left.total_count} name="first" />
      </Panel>
      <Panel title={`Only in ${rightId}`} flush>
        <ComponentTable label={`Only in ${rightId}`} rows={second} none={NO_OTHER} />
        <Pager page={otherPage} pages={right.total_pages} total={right.total_count} name="second" />
      </Panel>
    </div>
  );
}

const SnapshotScope = ({ of }: { readonly of: string }) => (
  <>
    of <bdi>{of}</bdi>
  </>
);

interface ChangesProps {
  readonly changes: readonly Change<Component>[];
  readonly leftId: string;
  readonly rightId: string;
  /** Whether these are the changes of all pages. Only what stands on these pages is compared. */
  readonly isWhole: boolean;
}

const Changes = ({ changes, leftId, rightId, isWhole }: ChangesProps) => (
  <Table
    label="Other versions"
    rows={changes}
    keyOf={({ first: [component] }) => keyOfComponent(component)}
    empty={
      isWhole ? (
        <Empty icon="dash" title="No component is known in another version" />
      ) : (
        <Empty icon="dash" title="None of the components on these pages is in another version">
          Both lists have more pages, which may have other versions of these components.
        </Empty>
      )
    }
    columns={[
      { head: 'Component', kind: 'main', cell: ({ name }) => <bdi>{name}</bdi> },
      { head: leftId, cell: ({ first }) => <Versions components={first} /> },
      ...(leftId === rightId
        ? []
        : [{ head: rightId, cell: ({ second }: Change<Component>) => <Versions components={second} /> }]),
    ]}
  />
);

const Versions = ({ components }: { readonly components: readonly Component[] }) => (
  <span className="pile">
    {components.map((component) => (
      <ComponentVersion key={keyOfComponent(component)} component={component} />
    ))}
  </span>
);
