import { useSearchParams } from 'react-router';
import { api, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { endsOfDates } from '../../api/window';
import { type ExportColumns, ExportButtons } from '../../parts/ExportButtons';
import { Button, Empty, Page, Pager, Panel, Table, Time, usePageNumber, wordsOf } from '../../ui';
import { DateInput, FieldRow, SearchInput, Select } from '../../ui/Fields';
import { useFilter } from '../../ui/use-filter';
import { useZone } from '../../ui/zone';
import css from './AuditLogPage.module.css';
import { Difference } from './Difference';
import { Subject, SUBJECTS } from './Subject';
import { withNames } from './with-names';

type Entry = Schemas['AuditLogEntry'];

const PER_PAGE = 50;
const PER_PAGE_MAX = 100;

export const AuditLogPage = () => (
  <Page
    title="Audit log"
    lead="Who changed which setting, and when. Secrets are left out. Evidence and reports are on the pages of trails and environments."
  >
    <Filters />
    <Log />
  </Page>
);

/** The query of the API for the filters in the address. */
function useFilters() {
  const [address] = useSearchParams();
  const text = (name: string) => address.get(name) ?? '';
  const filterOf = (name: string) => (text(name) === '' ? undefined : [text(name)]);
  const { start, end } = endsOfDates(text('from'), text('to'), useZone());
  return {
    search: text('search') || undefined,
    subject: filterOf('subject'),
    type: filterOf('type'),
    actor: filterOf('actor'),
    from: start ?? undefined,
    to: end ?? undefined,
  };
}

function Filters() {
  const [search, setSearch] = useFilter('search', { typed: true });
  const [subject, setSubject] = useFilter('subject');
  const [from, setFrom] = useFilter('from');
  const [to, setTo] = useFilter('to');
  return (
    <FieldRow>
      <SearchInput label="Name of thing or person" value={search} onChange={setSearch} />
      <Select
        label="What was changed"
        value={subject}
        onChange={setSubject}
        options={[['', 'Everything'], ...SUBJECTS]}
      />
      <DateInput label="From" value={from} onChange={setFrom} />
      <DateInput label="To" value={to} onChange={setTo} />
      <ActiveFilter name="type" words={wordsOf} />
      <ActiveFilter name="actor" words={(actor) => `By ${actor}`} />
    </FieldRow>
  );
}

/** A filter that a row set, with a button to remove it. */
function ActiveFilter({ name, words }: { readonly name: string; readonly words: (value: string) => string }) {
  const [value, set] = useFilter(name);
  return value === '' ? null : (
    <Button icon="cross" onPress={() => set('')}>
      Only: {words(value)}
    </Button>
  );
}

const COLUMNS: ExportColumns<Entry> = [
  ['created_at', ({ created_at }) => new Date(created_at * 1000).toISOString()],
  ['type', ({ type }) => type],
  ['actor', ({ actor }) => actor.name],
  ['actor_id', ({ actor }) => actor.id],
  ['subject_kind', ({ subject }) => subject.kind],
  ['subject', ({ subject }) => subject.name],
  ['subject_id', ({ subject }) => subject.id],
  ['before', ({ before, names }) => JSON.stringify(withNames(before, names, true))],
  ['after', ({ after, names }) => JSON.stringify(withNames(after, names, true))],
  ['id', ({ id }) => id],
];

function Log() {
  const org = useOrg();
  const filters = useFilters();
  return (
    <Panel
      title="Changes"
      flush
      actions={
        <ExportButtons
          name="audit-log"
          columns={COLUMNS}
          load={async (position) => {
            const { data } = await api.GET('/audit-log/{org}', {
              params: { path: { org }, query: { ...filters, ...position, per_page: PER_PAGE_MAX } },
            });
            return { rows: data?.entries ?? [], total: data?.total_count ?? 0, next: data?._links?.next };
          }}
        />
      }
    >
      <List filters={filters} />
    </Panel>
  );
}

function List({ filters }: { readonly filters: ReturnType<typeof useFilters> }) {
  const page = usePageNumber();
  const data = useAnswer('/audit-log/{org}', {}, { page, per_page: PER_PAGE, ...filters });
  return (
    <>
      <Table
        label="Changes"
        rows={data.entries}
        keyOf={({ id }) => id}
        empty={<Empty icon="clock" title="Nothing was changed that matches the filters" />}
        columns={[
          { head: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
          { head: 'Who', cell: ({ actor }) => <SetFilter name="actor" value={actor.name} text={actor.name} /> },
          {
            head: 'What',
            kind: 'text',
            cell: ({ type }) => <SetFilter name="type" value={type} text={wordsOf(type)} />,
          },
          { head: 'Of what', kind: 'main', cell: ({ subject }) => <Subject subject={subject} /> },
          {
            head: 'Before and after',
            kind: 'wide',
            cell: ({ before, after, names }) => <Difference before={before} after={after} names={names} />,
          },
        ]}
      />
      <Pager page={page} pages={data.total_pages} total={data.total_count} />
    </>
  );
}

/** A value that sets a filter of the list when clicked. */
function SetFilter({ name, value, text }: { readonly name: string; readonly value: string; readonly text: string }) {
  const [, set] = useFilter(name);
  return (
    <div className={css.value}>
      <Button look="quiet" aria-label={`Only ${text}`} onPress={() => set(value)}>
        <bdi>{text}</bdi>
      </Button>
    </div>
  );
}
