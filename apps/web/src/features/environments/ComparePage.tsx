import type { FormEvent } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useEnvironmentNames } from '../../api/environments';
import { query, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import { Button, Empty, Hash, Page, Panel, SafeLink, Table, Time, type Column } from '../../ui';
import { FieldRow, TextInput } from '../../ui/Fields';

/** Two environments, or two snapshots of one, side by side. */
export function ComparePage() {
  const org = useOrg();
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
      above={[{ text: 'Environments', href: to.environments(org) }]}
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
      {a !== '' && b !== '' ? <Difference org={org} a={a} b={b} /> : <Help org={org} one={a} />}
    </Page>
  );
}

function Help({ org, one }: { readonly org: string; readonly one: string }) {
  const names = useEnvironmentNames(org);
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
              <Link to={to.compare(org, first, name)}>
                <bdi>{first}</bdi> and <bdi>{name}</bdi>
              </Link>
            </li>
          ))}
        <li>
          <Link to={to.compare(org, `${first}~1`, first)}>
            The last change of <bdi>{first}</bdi>
          </Link>
        </li>
      </ul>
    </Panel>
  );
}

type Only = Schemas['EnvironmentDiffArtifact'];
type Changed = Schemas['EnvironmentDiffChangedArtifact'];

function Difference({ org, a, b }: { readonly org: string; readonly a: string; readonly b: string }) {
  const { data } = query.useSuspenseQuery('get', '/env-diff/{org}', {
    params: { path: { org }, query: { snappish1: a, snappish2: b } },
  });
  const parts = [
    { title: `Only in ${data.snappish1.snapshot_id}`, rows: data.snappish1.artifacts },
    { title: `Only in ${data.snappish2.snapshot_id}`, rows: data.snappish2.artifacts },
  ];
  return (
    <div className="stack">
      {parts.map(({ title, rows }) => (
        <Panel key={title} title={title} flush>
          <Table
            label={title}
            rows={rows}
            columns={columnsFor(org)}
            keyOf={keyOf}
            empty={<Empty icon="check" title="Nothing" />}
          />
        </Panel>
      ))}
      <Panel title="In both, with other numbers of instances" flush>
        <Table
          label="Changed"
          rows={data.changed.artifacts}
          columns={[
            ...columnsFor<Changed>(org),
            { head: 'Instances', kind: 'number', cell: (row) => `${row.s1_instance_count} → ${row.s2_instance_count}` },
          ]}
          keyOf={keyOf}
          empty={<Empty icon="check" title="Nothing" />}
        />
      </Panel>
      <Panel title="The same in both" flush>
        <Table
          label="Not changed"
          rows={data['not-changed'].artifacts}
          columns={columnsFor(org)}
          keyOf={keyOf}
          empty={<Empty icon="dash" title="Nothing" />}
        />
      </Panel>
    </div>
  );
}

const keyOf = ({ fingerprint, name }: Only | Changed) => `${fingerprint} ${name}`;

const columnsFor = <Row extends Only | Changed>(org: string): readonly Column<Row>[] => [
  {
    head: 'Artifact',
    kind: 'main',
    cell: ({ name, flow, fingerprint }) => <ArtifactName org={org} flow={flow} fingerprint={fingerprint} name={name} />,
  },
  { head: 'Fingerprint', cell: ({ fingerprint }) => <Hash value={fingerprint} /> },
  {
    head: 'Flow',
    cell: ({ flow }) =>
      flow === '' ? (
        <span className="quiet">none</span>
      ) : (
        <Link to={to.flow(org, flow)}>
          <bdi>{flow}</bdi>
        </Link>
      ),
  },
  {
    head: 'Commit',
    cell: ({ commit_url }) =>
      commit_url === '' ? <span className="quiet">not linked</span> : <SafeLink href={commit_url}>Commit</SafeLink>,
  },
  { head: 'Running since', cell: ({ most_recent_timestamp }) => <Time at={most_recent_timestamp} /> },
];
