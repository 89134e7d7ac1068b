import { useSuspenseQueries } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { api, query, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { ComponentName } from '../../parts/components/ComponentName';
import { type ExportColumns, ExportButtons } from '../../parts/ExportButtons';
import { Unjudged } from '../../parts/components/Unjudged';
import { BreakableName, Empty, formatCount, Panel, Table } from '../../ui';
import { FieldRow, SearchInput, Select } from '../../ui/Fields';
import { useFilter } from '../../ui/use-filter';
import { type Licence, licencesOf, findMatching, NOT_STATED } from './licences';

type Component = Schemas['SbomComponent'];

const PER_PAGE = 100;
/** How many pages are read. Search and licences need all components. */
const PAGES_MAX = 20;

interface Props {
  readonly fingerprint: string;
}

/** The components of an artifact by its SBOMs, and their licences. */
export function Components({ fingerprint }: Props) {
  const { answer, components } = useComponents(fingerprint);
  const { total_count: total, without_sbom: without } = answer;
  const licences = licencesOf(components);
  return (
    <div className="stack">
      <Unjudged answer={answer}>
        {components.length < total && (
          <p>
            The first {formatCount(components.length)} of {formatCount(total)} components are listed and searched. The
            exports have all.
          </p>
        )}
      </Unjudged>
      {without > 0 && total === 0 ? (
        <Panel title="Components">
          <Empty icon="components" title="No SBOM was attested">
            Attest an SBOM of this artifact in CycloneDX or SPDX: <code>attestations/…/system</code> with the{' '}
            <code>type_name</code> <code>sbom</code>.
          </Empty>
        </Panel>
      ) : (
        <>
          <List fingerprint={fingerprint} components={components} licences={licences} total={total} />
          <Licences fingerprint={fingerprint} licences={licences} />
        </>
      )}
    </div>
  );
}

/** The components on the first pages. */
function useComponents(fingerprint: string) {
  const org = useOrg();
  const path = '/components/{org}/artifacts/{fingerprint}';
  const answer = useAnswer(path, { fingerprint }, { page: 1, per_page: PER_PAGE });
  const more = Array.from({ length: Math.max(0, Math.min(answer.total_pages, PAGES_MAX) - 1) }, (_, i) => i + 2);
  const morePages = useSuspenseQueries({
    queries: more.map((page) =>
      query.queryOptions('get', path, {
        params: { path: { org, fingerprint }, query: { page, per_page: PER_PAGE } },
      }),
    ),
  });
  return { answer, components: [answer, ...morePages.map(({ data }) => data)].flatMap(({ components }) => components) };
}

const COLUMNS: ExportColumns<Component> = [
  ['name', ({ name }) => name],
  ['version', ({ version }) => version],
  ['purl', ({ purl }) => purl],
  ['licences', ({ licences }) => licences.join('; ')],
  ['sha256', ({ sha256 }) => sha256],
];

interface ListProps extends Props {
  readonly components: readonly Component[];
  readonly licences: readonly Licence[];
  readonly total: number;
}

function List({ fingerprint, components, licences, total }: ListProps) {
  const org = useOrg();
  const [text, setText] = useFilter('search', { typed: true });
  const [licence, setLicence] = useFilter('licence');
  const matches = findMatching(components, useDeferredValue(text), licence);
  return (
    <>
      <FieldRow>
        <SearchInput label="Name or version" value={text} onChange={setText} />
        <Select
          label="Licence"
          value={licence}
          onChange={setLicence}
          options={[
            ['', 'All licences'],
            ...licences.map(({ licence: of }) => [of ?? NOT_STATED, of ?? 'Not stated'] as const),
          ]}
        />
      </FieldRow>
      <Panel
        title="Components"
        note={matches.length < total ? `${formatCount(matches.length)} of ${formatCount(total)}` : formatCount(total)}
        flush
        actions={
          <ExportButtons
            name={`components-${fingerprint.slice(0, 12)}`}
            columns={COLUMNS}
            load={({ page }) => readPage(org, fingerprint, Number(page ?? 1))}
          />
        }
      >
        <Table
          label="Components"
          rows={matches}
          keyOf={keyOf}
          empty={<Empty icon="search" title={total === 0 ? 'The SBOM lists none' : 'None fits'} />}
          columns={[
            { head: 'Component', kind: 'main', cell: (component) => <ComponentName component={component} /> },
            { head: 'Licences', kind: 'text', cell: ({ licences }) => <LicenceNames licences={licences} /> },
          ]}
        />
      </Panel>
    </>
  );
}

const keyOf = ({ purl, name, version, sha256 }: Component) => `${purl} ${name} ${version} ${sha256}`;

const LicenceNames = ({ licences }: { readonly licences: readonly string[] }) =>
  licences.length === 0 ? (
    <span className="quiet">not stated</span>
  ) : (
    <span className="pile">
      {licences.map((licence) => (
        <bdi key={licence}>{licence}</bdi>
      ))}
    </span>
  );

/** Reads a page of all components of the artifact, and the number of the next page. */
async function readPage(org: string, fingerprint: string, page: number) {
  const { data } = await api.GET('/components/{org}/artifacts/{fingerprint}', {
    params: { path: { org, fingerprint }, query: { page, per_page: PER_PAGE } },
  });
  const next = page < (data?.total_pages ?? 0) ? { page: String(page + 1) } : undefined;
  return { rows: data?.components ?? [], total: data?.total_count ?? 0, next };
}

/** Reads all components of the artifact. */
async function readAll(org: string, fingerprint: string): Promise<readonly Component[]> {
  const all: Component[] = [];
  for (let page: number | null = 1; page !== null;) {
    const { rows, next } = await readPage(org, fingerprint, page);
    all.push(...rows);
    page = next === undefined ? null : Number(next.page);
  }
  return all;
}

const LICENCE_COLUMNS: ExportColumns<Licence> = [
  ['licence', ({ licence }) => licence ?? 'not stated'],
  ['component_count', ({ components }) => components.length],
  ['components', ({ components }) => components.join('; ')],
];
/** How many components of a licence are shown by name. */
const NAMES_SHOWN = 5;

interface LicencesProps extends Props {
  readonly licences: readonly Licence[];
}

function Licences({ fingerprint, licences }: LicencesProps) {
  const org = useOrg();
  return (
    <Panel
      title="Licences"
      note="a component with several counts for each"
      flush
      actions={
        <ExportButtons
          name={`licences-${fingerprint.slice(0, 12)}`}
          columns={LICENCE_COLUMNS}
          load={async () => {
            const rows = licencesOf(await readAll(org, fingerprint));
            return { rows: [...rows], total: rows.length, next: undefined };
          }}
        />
      }
    >
      <Table
        label="Licences"
        rows={licences}
        keyOf={({ licence }) => licence ?? ''}
        empty={<Empty icon="types" title="The SBOM lists no component" />}
        columns={[
          { head: 'Licence', kind: 'main', cell: ({ licence }) => <bdi>{licence ?? 'not stated'}</bdi> },
          { head: 'Components', kind: 'number', cell: ({ components }) => formatCount(components.length) },
          {
            head: 'Such as',
            kind: 'wide',
            cell: ({ components }) => <BreakableName>{components.slice(0, NAMES_SHOWN).join(', ')}</BreakableName>,
          },
        ]}
      />
    </Panel>
  );
}
