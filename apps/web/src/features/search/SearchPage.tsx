import { useSearchParams } from 'react-router';
import { query, type Schemas } from '../../api/client';
import { ApiError } from '../../api/error';
import { useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import { missOf, shownResults, TEXT_MAX } from '../../parts/search-results';
import { VerdictWhereItRuns } from '../../parts/VerdictWhereItRuns';
import { Empty, Hash, Loading, NameLink, NameLinks, Page, PageLink, Panel, Table, Verdict, wordsOf } from '../../ui';

/** The beginning of a commit or fingerprint, as tools print it: the API requires at least 5 digits. */
const DIGITS = /^(sha256:)?[0-9a-f]{5,64}$/i;

export function SearchPage() {
  const [search] = useSearchParams();
  const text = (search.get('q') ?? '').trim();
  return (
    <Page title={text === '' ? 'Search' : `Search: ${text}`}>
      {text === '' ? (
        <Empty icon="search" title="Find anything">
          The field above takes a part of a name, tag, description, commit message or author, 5 or more digits of a
          commit or fingerprint, the name of a vulnerability, or the beginning of the name of a component.
        </Empty>
      ) : (
        <>
          {DIGITS.test(text) && (
            <Panel title="Artifacts" flush>
              <Artifacts text={text} />
            </Panel>
          )}
          <Panel title="Everything" flush>
            <Names text={text} />
          </Panel>
        </>
      )}
    </Page>
  );
}

type Artifact = Schemas['SearchResult']['artifacts'][number];

/** The artifacts with a fingerprint or commit that begins with the text. */
function useArtifacts(text: string) {
  const org = useOrg();
  return query.useQuery(
    'get',
    '/search/{org}/sha/{value}',
    { params: { path: { org, value: text } } },
    {
      enabled: DIGITS.test(text),
      throwOnError: (fault: unknown) => !(fault instanceof ApiError && fault.status === 404),
    },
  );
}

/** Groups artifacts by fingerprint. A group has one entry for each flow. */
function byFingerprint(artifacts: readonly Artifact[]): readonly (readonly [Artifact, ...Artifact[]])[] {
  const results = new Map<string, [Artifact, ...Artifact[]]>();
  for (const artifact of artifacts) {
    const all = results.get(artifact.fingerprint);
    if (all === undefined) results.set(artifact.fingerprint, [artifact]);
    else all.push(artifact);
  }
  return [...results.values()];
}

function Artifacts({ text }: { readonly text: string }) {
  const { data, error } = useArtifacts(text);
  if (error !== null) return <Empty icon="search" title="No artifact has this commit or fingerprint" />;
  return (
    <Table
      label="Artifacts"
      rows={byFingerprint(data?.artifacts ?? [])}
      keyOf={([{ fingerprint }]) => fingerprint}
      empty={
        <Empty icon="search" title={data === undefined ? 'Searching' : 'No artifact has this commit or fingerprint'} />
      }
      columns={[
        {
          head: 'Artifact',
          kind: 'main',
          cell: ([{ name, flow, fingerprint }]) => <ArtifactName flow={flow} fingerprint={fingerprint} name={name} />,
        },
        { head: 'Fingerprint', cell: ([{ fingerprint }]) => <Hash value={fingerprint} /> },
        {
          head: 'Commit',
          cell: ([{ git_commit, commit_url }]) => <Hash value={git_commit} kind="commit" href={commit_url} />,
        },
        {
          head: 'By its attestations',
          cell: (entry) => (
            <span className="pile">
              {entry.map(({ flow, fingerprint, compliance_state }) => (
                <span key={flow} className="line">
                  <Verdict value={compliance_state === '' ? null : compliance_state} />
                  {entry.length > 1 && <NameLink to={to.artifact(flow, fingerprint)}>{flow}</NameLink>}
                </span>
              ))}
            </span>
          ),
        },
        {
          head: 'Where it runs',
          kind: 'text',
          cell: ([{ running }]) => <VerdictWhereItRuns running={running} />,
        },
        {
          head: 'Runs in',
          cell: (entry) => (
            <NameLinks
              names={[...new Set(entry.flatMap(({ running_in }) => running_in))]}
              to={to.environment}
              none="nowhere"
            />
          ),
        },
      ]}
    />
  );
}

/** How many results of a kind are shown. */
const RESULTS_PER_KIND = 20;

function Names({ text }: { readonly text: string }) {
  const { results, complete } = useAnswer('/search/{org}', {}, { q: text.slice(0, TEXT_MAX), limit: RESULTS_PER_KIND });
  const artifacts = useArtifacts(text);
  // Artifacts in the list above are left out below, so nothing is listed below before they are known.
  if (artifacts.isLoading) return <Loading />;
  const fingerprintsAbove = new Set(artifacts.data?.artifacts.map(({ fingerprint }) => fingerprint));
  const others = results.filter(({ fingerprint }) => fingerprint === null || !fingerprintsAbove.has(fingerprint));
  const rows = shownResults(text, others);
  const miss = missOf(text, rows);
  return (
    <>
      {miss !== null && (
        <Empty icon="search" title={miss}>
          <PageLink to={to.vulnerabilities}>Vulnerabilities</PageLink> says when databases were imported, and which
          artifacts have no SBOM.
        </Empty>
      )}
      <Table
        label="Everything"
        rows={rows}
        keyOf={({ kind, page, name }) => `${kind} ${page} ${name}`}
        empty={
          <Empty
            icon="search"
            title={`${fingerprintsAbove.size > 0 ? 'Nothing else' : 'Nothing'} has this in its name, or in what describes it`}
          />
        }
        columns={[
          {
            head: 'Name',
            kind: 'main',
            cell: ({ page, name }) => <NameLink to={page}>{name}</NameLink>,
          },
          { head: 'Kind', cell: ({ kind }) => wordsOf(kind) },
          { head: 'Where', kind: 'wide', cell: ({ place }) => <bdi>{place || 'in its name'}</bdi> },
        ]}
      />
      {!complete && (
        <p className="small quiet" style={{ margin: '0.5rem 1rem' }}>
          There are more than 1,000 things of a kind. All were compared with the beginning of names, of commits and
          fingerprints, and of words in tags, and in names, authors and first lines of commit messages of artifacts and
          trails. Other parts of texts, descriptions, and artifacts without provenance were looked for in 1,000 of each
          kind: the newest trails and artifacts, and the first of the others.
        </p>
      )}
    </>
  );
}
