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
export function ComparedComponents(compared: Props) {
  const [page, otherPage] = [usePageNumber('first'), usePageNumber('second')];
  const { snappish1: left, unchanged_count: unchanged } = useDifference(compared, page);
  const { snappish2: right } = useDifference(compared, otherPage);
  const { changes, first, second } = changesOf(left.components, right.components);
  const [one, other] = [left.snapshot_id, right.snapshot_id];
  return (
    <div className="stack">
      <Unjudged answer={left} counted={<Ran of={one} />} />
      {one !== other && <Unjudged answer={right} counted={<Ran of={other} />} />}
      <Panel title="Other versions" note={`${formatCount(unchanged)} components are the same in both`} flush>
        <Changes changes={changes} one={one} other={other} />
      </Panel>
      <Panel title={`Only in ${one}`} flush>
        <ComponentTable label={`Only in ${one}`} rows={first} none={NO_OTHER} />
        <Pager page={page} pages={left.total_pages} total={left.total_count} name="first" />
      </Panel>
      <Panel title={`Only in ${other}`} flush>
        <ComponentTable label={`Only in ${other}`} rows={second} none={NO_OTHER} />
        <Pager page={otherPage} pages={right.total_pages} total={right.total_count} name="second" />
      </Panel>
    </div>
  );
}

const Ran = ({ of }: { readonly of: string }) => (
  <>
    of <bdi>{of}</bdi>
  </>
);

interface ChangesProps {
  readonly changes: readonly Change<Component>[];
  readonly one: string;
  readonly other: string;
}

const Changes = ({ changes, one, other }: ChangesProps) => (
  <Table
    label="Other versions"
    rows={changes}
    keyOf={({ first: [component] }) => keyOfComponent(component)}
    empty={<Empty icon="dash" title="No component is known in another version" />}
    columns={[
      { head: 'Component', kind: 'main', cell: ({ name }) => <bdi>{name}</bdi> },
      { head: one, cell: ({ first }) => <Versions components={first} /> },
      ...(one === other
        ? []
        : [{ head: other, cell: ({ second }: Change<Component>) => <Versions components={second} /> }]),
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
