import type { FormEvent } from 'react';
import { useSearchParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { useEnvironmentNames } from '../../api/environments';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import {
  Button,
  Empty,
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
import { FieldRow, TextInput } from '../../ui/Fields';

/** Two environments, or two snapshots of one, side by side. */
export function ComparePage() {
  const [search, setSearch] = useSearchParams();
  const [a, b] = [search.get('a') ?? '', search.get('b') ?? ''];
  const compare = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    setSearch({ a: String(values.get('a')), b: String(values.get('b')) });
  };
  return (
    <Page
      title="Compare"
      above={[{ text: 'Environments', href: to.environments }]}
      lead="What runs in one place and not in the other, and what changed between two moments."
    >
      <form onSubmit={compare} key={`${a} ${b}`}>
        <FieldRow>
          <TextInput name="a" label="From" value={a} required />
          <TextInput name="b" label="To" value={b} required />
          <Button type="submit" look="main">
            Compare
          </Button>
        </FieldRow>
      </form>
      {a !== '' && b !== '' ? <Difference a={a} b={b} /> : <Help one={a} />}
    </Page>
  );
}

function Help({ one }: { readonly one: string }) {
  const names = useEnvironmentNames();
  const [first = 'production'] = one === '' ? names : [one];
  return (
    <Panel title="What can be compared">
      <p>
        An environment by its name is what runs there now. <code>{first}#3</code> is its third snapshot,{' '}
        <code>{first}~1</code> the one before the latest,{' '}
        <code>
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
                <bdi>{first}</bdi> and <bdi>{name}</bdi>
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

type Only = Schemas['EnvironmentDiffArtifact'];
type Changed = Schemas['EnvironmentDiffChangedArtifact'];

const PER_PAGE = 25;
/** The lists of a difference, by the parameter of the address that says which page of them is shown. */
const LISTS = { first: 'snappish1', second: 'snappish2', numbers: 'changed', same: 'not-changed' } as const;

interface Compared {
  readonly a: string;
  readonly b: string;
}

/** A page of each list. Lists on the same page share a request. */
function useDifference({ a, b }: Compared, page: number) {
  return useAnswer('/env-diff/{org}', {}, { snappish1: a, snappish2: b, page, per_page: PER_PAGE });
}

function Difference(compared: Compared) {
  const { snappish1, snappish2 } = useDifference(compared, 1);
  const titles = {
    first: `Only in ${snappish1.snapshot_id}`,
    second: `Only in ${snappish2.snapshot_id}`,
    numbers: 'In both, with other numbers of instances',
    same: 'The same in both',
  };
  return (
    <div className="stack">
      {(Object.keys(LISTS) as (keyof typeof LISTS)[]).map((list) => (
        <Panel key={list} title={titles[list]} flush>
          <List {...compared} list={list} label={titles[list]} />
        </Panel>
      ))}
    </div>
  );
}

function List({ list, label, ...compared }: Compared & { readonly list: keyof typeof LISTS; readonly label: string }) {
  const page = usePageNumber(list);
  const { artifacts, artifact_page } = useDifference(compared, page)[LISTS[list]];
  return (
    <>
      <Table<Only | Changed>
        label={label}
        rows={artifacts}
        columns={list === 'numbers' ? [...COLUMNS, INSTANCES] : COLUMNS}
        keyOf={keyOf}
        empty={<Empty icon={list === 'same' ? 'dash' : 'check'} title="Nothing" />}
      />
      <Pager page={page} pages={artifact_page?.total_pages ?? 1} total={artifact_page?.total_count ?? 0} name={list} />
    </>
  );
}

const INSTANCES: Column<Only | Changed> = {
  head: 'Instances',
  kind: 'number',
  cell: (row) => 's1_instance_count' in row && `${row.s1_instance_count} → ${row.s2_instance_count}`,
};

const keyOf = ({ fingerprint, name }: Only | Changed) => `${fingerprint} ${name}`;

const COLUMNS: readonly Column<Only | Changed>[] = [
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
