import { useSearchParams } from 'react-router';
import { api, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { endsOfDates, quarterBefore } from '../../api/window';
import { type ExportColumns, ExportButtons } from '../../parts/ExportButtons';
import { Empty, Pager, Panel, useNow, usePageNumber } from '../../ui';
import { DateInput, FieldRow, Select } from '../../ui/Fields';
import { useFilter } from '../../ui/use-filter';
import { useZone } from '../../ui/zone';
import { AttestationTable } from './ReportedAttestations';

type Decision = Schemas['DecisionPage']['decisions'][number];

const PER_PAGE = 25;
const PER_PAGE_MAX = 100;
/** How many quarters can be chosen by name. */
const QUARTERS = 8;

const STATES = [
  ['', 'All decisions'],
  ['yes', 'Compliant'],
  ['no', 'Not compliant'],
] as const;

/** The quarters to choose from, the current one first. */
function useQuarters() {
  const [now, zone] = [useNow(), useZone()];
  return Array.from({ length: QUARTERS }, (_, back) => quarterBefore(now, back, zone));
}

/** The query of the API for the address: decisions of the current quarter, unless the address names another time. */
function useQuery() {
  const [address] = useSearchParams();
  const text = (name: string) => address.get(name) ?? '';
  const ownPeriod = endsOfDates(text('from'), text('to'), useZone());
  const [present, ...earlier] = useQuarters();
  const quarter = earlier.find(({ name }) => name === text('time')) ?? present;
  const { start, end } =
    text('time') === 'all' ? { start: null, end: null } : text('time') === 'own' ? ownPeriod : (quarter ?? ownPeriod);
  return {
    is_compliant: text('state') === '' ? undefined : text('state') === 'yes',
    from_timestamp: start ?? undefined,
    to_timestamp: end ?? undefined,
  };
}

/** All decisions on a control in a quarter, or in another time. */
export function ControlDecisions({ control }: { readonly control: string }) {
  const org = useOrg();
  const query = useQuery();
  return (
    <Panel
      title="Decisions"
      flush
      actions={
        <ExportButtons
          name={`decisions-${control}`}
          columns={COLUMNS}
          load={async (position) => {
            const { data, response } = await api.GET('/controls/{org}/{control}/decisions', {
              params: { path: { org, control }, query: { ...query, ...position, per_page: PER_PAGE_MAX } },
            });
            return { rows: data?.decisions ?? [], total: data?.total_count ?? 0, next: nextOf(response) };
          }}
        />
      }
    >
      <Choices />
      <List control={control} query={query} />
    </Panel>
  );
}

/** The link to the next page. This list has it in a header. */
const nextOf = ({ headers }: Response): string | undefined =>
  /<([^<>]+)>; ?rel="next"/.exec(headers.get('link') ?? '')?.[1];

const COLUMNS: ExportColumns<Decision> = [
  ['created_at', ({ created_at }) => new Date(created_at * 1000).toISOString()],
  ['attestation_name', ({ attestation_name }) => attestation_name],
  ['is_compliant', ({ is_compliant }) => String(is_compliant)],
  ['flow', ({ flow_name }) => flow_name],
  ['trail', ({ trail_name }) => trail_name],
  ['fingerprint', ({ artifact_fingerprint }) => artifact_fingerprint],
  ['reported_by', ({ reported_by }) => reported_by],
  ['attestation_id', ({ attestation_id }) => attestation_id],
];

function Choices() {
  const quarters = useQuarters();
  const [time, setTime] = useFilter('time');
  const [state, setState] = useFilter('state');
  const [from, setFrom] = useFilter('from');
  const [to, setTo] = useFilter('to');
  const times = quarters.map(
    ({ name }, i) => [i === 0 ? '' : name, i === 0 ? `${name} (this quarter)` : name] as const,
  );
  return (
    <div style={{ padding: '0.75rem 1rem' }}>
      <FieldRow>
        <Select
          label="Time"
          value={time}
          onChange={setTime}
          options={[...times, ['own', 'From … to …'], ['all', 'All time']]}
        />
        <Select label="State" value={state} onChange={setState} options={STATES} />
        {time === 'own' && (
          <>
            <DateInput label="From" value={from} onChange={setFrom} />
            <DateInput label="To" value={to} onChange={setTo} />
          </>
        )}
      </FieldRow>
    </div>
  );
}

function List({ control, query }: { readonly control: string; readonly query: ReturnType<typeof useQuery> }) {
  const page = usePageNumber();
  const data = useAnswer('/controls/{org}/{control}/decisions', { control }, { page, per_page: PER_PAGE, ...query });
  return (
    <>
      <AttestationTable
        attestations={data.decisions}
        empty={<Empty icon="controls" title="Nothing was decided on it in this time" />}
      />
      <Pager page={page} pages={data.total_pages} total={data.total_count} />
    </>
  );
}
