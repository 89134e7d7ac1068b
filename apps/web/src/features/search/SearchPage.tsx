import { useSearchParams } from 'react-router';
import { query, type Schemas } from '../../api/client';
import { ApiError } from '../../api/error';
import { useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import { Empty, Hash, NameLink, NameLinks, Page, Panel, Table, Verdict } from '../../ui';

/** The beginning of a commit or fingerprint, as tools print it: the API requires at least 5 digits. */
const DIGITS = /^(sha256:)?[0-9a-f]{5,64}$/i;

export function SearchPage() {
  const [search] = useSearchParams();
  const text = (search.get('q') ?? '').trim();
  return (
    <Page title={text === '' ? 'Search' : `Search: ${text}`}>
      {text === '' ? (
        <Empty icon="search" title="Search by name, commit or fingerprint">
          The field above takes 5 or more digits of a commit or fingerprint, or a part of a name.
        </Empty>
      ) : (
        <>
          {DIGITS.test(text) && (
            <Panel title="Artifacts" flush>
              <Artifacts text={text} />
            </Panel>
          )}
          <Panel title="Names" flush>
            <Names text={text} />
          </Panel>
        </>
      )}
    </Page>
  );
}

type Found = Schemas['SearchResult']['artifacts'][number];

function Artifacts({ text }: { readonly text: string }) {
  const org = useOrg();
  const { data, error } = query.useQuery(
    'get',
    '/search/{org}/sha/{value}',
    { params: { path: { org, value: text } } },
    { throwOnError: (fault: unknown) => !(fault instanceof ApiError && fault.status === 404) },
  );
  if (error !== null) return <Empty icon="search" title="No artifact has this commit or fingerprint" />;
  return (
    <Table
      label="Artifacts"
      rows={data?.artifacts ?? []}
      keyOf={({ fingerprint, flow }: Found) => `${fingerprint} ${flow}`}
      empty={
        <Empty icon="search" title={data === undefined ? 'Searching' : 'No artifact has this commit or fingerprint'} />
      }
      columns={[
        {
          head: 'Artifact',
          kind: 'main',
          cell: ({ name, flow, fingerprint }) => <ArtifactName flow={flow} fingerprint={fingerprint} name={name} />,
        },
        { head: 'Fingerprint', cell: ({ fingerprint }) => <Hash value={fingerprint} /> },
        {
          head: 'Commit',
          cell: ({ git_commit, commit_url }) => <Hash value={git_commit} kind="commit" href={commit_url} />,
        },
        {
          head: 'State',
          cell: ({ compliance_state }) => <Verdict value={compliance_state === '' ? null : compliance_state} />,
        },
        {
          head: 'Runs in',
          cell: ({ running_in }) => <NameLinks names={running_in} to={to.environment} none="nowhere" />,
        },
      ]}
    />
  );
}

/** How many of a kind are shown. */
const EACH = 20;

function Names({ text }: { readonly text: string }) {
  const first = { page: 1, per_page: EACH };
  const environments = useAnswer('/environments/{org}', {}, { name: text, ...first }) as Schemas['EnvironmentPage'];
  const flows = useAnswer('/flows/{org}', {}, { search_by_name: text, ...first }) as Schemas['FlowPage'];
  const { repos } = useAnswer('/repos/{org}', {}, { search: text, per_page: EACH });
  const found = [
    ...environments.environments.map(({ name }) => ({ kind: 'Environment', name, href: to.environment(name) })),
    ...flows.data.map(({ name }) => ({ kind: 'Flow', name, href: to.flow(name) })),
    ...repos.map(({ name, id }) => ({
      ...{ kind: 'Repository', name },
      href: to.repository(name, repos.filter((one) => one.name === name).length > 1 ? id : undefined),
    })),
  ];
  return (
    <Table
      label="Names"
      rows={found}
      keyOf={({ href }) => href}
      empty={<Empty icon="search" title="No environment, flow or repository has this in its name" />}
      columns={[
        {
          head: 'Name',
          kind: 'main',
          cell: ({ name, href }) => <NameLink to={href}>{name}</NameLink>,
        },
        { head: 'Kind', kind: 'wide', cell: ({ kind }) => kind },
      ]}
    />
  );
}
