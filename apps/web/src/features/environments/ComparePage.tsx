import { lazy } from 'react';
import { useSearchParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { useEnvironmentNames } from '../../api/environments';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import {
  BreakableName,
  Empty,
  formatCount,
  Hash,
  NameLink,
  Page,
  PageLink,
  Pager,
  Panel,
  Table,
  Time,
  usePageNumber,
  type Column,
} from '../../ui';
import { Tabs } from '../../ui/Tabs';
import { Choosers } from './Choosers';
import css from './ComparePage.module.css';
import { Services } from './Services';
import { servicesOf } from './services-of';

// Loaded when its tab is opened.
const ComparedComponents = lazy(async () => ({ default: (await import('./ComparedComponents')).ComparedComponents }));

/** Two environments, or two snapshots of one, side by side. */
export function ComparePage() {
  const [search] = useSearchParams();
  const [a, b] = [search.get('a') ?? '', search.get('b') ?? ''];
  return (
    <Page
      title="Compare"
      above={[{ text: 'Environments', href: to.environments }]}
      lead="What runs in one place and not in the other, and what changed between two moments."
    >
      <Choosers key={`${a} ${b}`} a={a} b={b} />
      {a !== '' && b !== '' ? (
        <Tabs
          label="Parts of the difference"
          keep={KEPT_PARAMETERS}
          tabs={[
            { id: 'artifacts', title: 'Artifacts', content: <Difference a={a} b={b} /> },
            { id: 'components', title: 'Components', content: <ComparedComponents a={a} b={b} /> },
          ]}
        />
      ) : (
        <Help left={a} />
      )}
    </Page>
  );
}

/** The parameters with the compared sides. */
const KEPT_PARAMETERS = ['a', 'b'];

function Help({ left }: { readonly left: string }) {
  const names = useEnvironmentNames();
  const [first = 'production'] = left === '' ? names : [left];
  return (
    <Panel title="What can be compared">
      <p>
        An environment by its name is what runs there now. <code>{first}#3</code> is its third snapshot,{' '}
        <code>{first}~1</code> the one before the latest,{' '}
        <code style={{ whiteSpace: 'nowrap' }}>
          {first}@{'{2.weeks.ago}'}
        </code>{' '}
        what ran two weeks ago.
      </p>
      <ul className="roomy">
        {names
          .filter((name) => name !== first)
          .slice(0, 8)
          .map((name) => (
            <li key={name}>
              <PageLink to={to.compare(first, name)}>
                <BreakableName>{first}</BreakableName> and <BreakableName>{name}</BreakableName>
              </PageLink>
            </li>
          ))}
        <li>
          <PageLink to={to.compare(`${first}~1`, first)}>
            The last change of <bdi>{first}</bdi>
          </PageLink>
        </li>
      </ul>
    </Panel>
  );
}

type OneSideArtifact = Schemas['EnvironmentDiffArtifact'];
type ChangedArtifact = Schemas['EnvironmentDiffChangedArtifact'];

const PER_PAGE = 25;
/** The lists of a difference, by the parameter of the address with the page of each list. */
const LISTS = { first: 'snappish1', second: 'snappish2', numbers: 'changed', same: 'not-changed' } as const;

interface ComparedSnapshots {
  readonly a: string;
  readonly b: string;
}

/** A page of each list. Lists on the same page share a request. */
function useDifference({ a, b }: ComparedSnapshots, page: number) {
  return useAnswer('/env-diff/{org}', {}, { snappish1: a, snappish2: b, page, per_page: PER_PAGE });
}

function Difference(snapshots: ComparedSnapshots) {
  const [first, second] = [usePageNumber('first'), usePageNumber('second')];
  const left = useDifference(snapshots, first).snappish1;
  const right = useDifference(snapshots, second).snappish2;
  const { pairs, others } = servicesOf(left.artifacts, right.artifacts);
  const [a, b] = [left.snapshot_id, right.snapshot_id];
  return (
    <div className="stack">
      <Panel title="Other versions" note="services that run in both" flush>
        <Services pairs={pairs} left={a} right={b} />
      </Panel>
      <Panel title={`Only in ${a}`} flush>
        <List list="first" label={`Only in ${a}`} rows={others.first} pageInfo={left.artifact_page} page={first} />
      </Panel>
      <Panel title={`Only in ${b}`} flush>
        <List list="second" label={`Only in ${b}`} rows={others.second} pageInfo={right.artifact_page} page={second} />
      </Panel>
      <InBoth {...snapshots} list="numbers" title="In both, with other numbers of instances" />
      <InBoth {...snapshots} list="same" title="The same in both" />
    </div>
  );
}

interface InBothProps extends ComparedSnapshots {
  readonly list: 'numbers' | 'same';
  readonly title: string;
}

/** Artifacts that run in both. Equal ones are collapsed. */
function InBoth({ list, title, ...snapshots }: InBothProps) {
  const page = usePageNumber(list);
  const { artifacts, artifact_page: pageInfo } = useDifference(snapshots, page)[LISTS[list]];
  const content = <List list={list} label={title} rows={artifacts} pageInfo={pageInfo} page={page} />;
  return (
    <Panel title={title} note={formatCount(pageInfo?.total_count ?? artifacts.length)} flush>
      {list === 'same' && artifacts.length > 0 ? (
        <details className={css.folded}>
          <summary>Show what is equal</summary>
          {content}
        </details>
      ) : (
        content
      )}
    </Panel>
  );
}

interface ListProps {
  readonly list: keyof typeof LISTS;
  readonly label: string;
  readonly rows: readonly (OneSideArtifact | ChangedArtifact)[];
  readonly pageInfo: { readonly total_pages: number; readonly total_count: number } | undefined;
  readonly page: number;
}

const List = ({ list, label, rows, pageInfo, page }: ListProps) => (
  <>
    <Table<OneSideArtifact | ChangedArtifact>
      label={label}
      rows={rows}
      columns={list === 'numbers' ? [...COLUMNS, INSTANCES] : COLUMNS}
      keyOf={keyOf}
      empty={<Empty icon={list === 'same' ? 'dash' : 'check'} title="Nothing" />}
    />
    <Pager page={page} pages={pageInfo?.total_pages ?? 1} total={pageInfo?.total_count ?? 0} name={list} />
  </>
);

const INSTANCES: Column<OneSideArtifact | ChangedArtifact> = {
  head: 'Instances',
  kind: 'number',
  cell: (row) => 's1_instance_count' in row && `${row.s1_instance_count} → ${row.s2_instance_count}`,
};

const keyOf = ({ fingerprint, name }: OneSideArtifact | ChangedArtifact) => `${fingerprint} ${name}`;

const COLUMNS: readonly Column<OneSideArtifact | ChangedArtifact>[] = [
  {
    head: 'Artifact',
    kind: 'main',
    cell: ({ name, flow, fingerprint }) => <ArtifactName flow={flow} fingerprint={fingerprint} name={name} />,
  },
  { head: 'Fingerprint', cell: ({ fingerprint }) => <Hash value={fingerprint} /> },
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
