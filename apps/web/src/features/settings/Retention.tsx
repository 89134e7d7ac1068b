import { api, type Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Empty, Facts, formatCount, NameLink, Panel, Table, Time } from '../../ui';
import { TextInput } from '../../ui/Fields';
import { ConfirmDialog, FormDialog } from '../../ui/FormDialog';

type Rules = Schemas['Retention'];
type Hold = Rules['holds'][number];

/** The kinds of data that retention drops, by the field with the number of days. */
const KINDS = {
  attachments_days: 'Attachments',
  payloads_days: 'Payloads and user data of attestations',
  snapshots_days: 'Full states of snapshots',
} as const;
type Kind = keyof typeof KINDS;
const FIELDS = Object.keys(KINDS) as readonly Kind[];
const WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  FIELDS.map((field) => [field.replace('_days', ''), KINDS[field]]),
);

/** The retention rules, the legal holds and the dropped data of an organization. */
export function Retention() {
  const data = useAnswer('/retention/{org}', {});
  const admin = useMay()('organization');
  return (
    <>
      <Panel title="Retention" actions={admin && <Edit rules={data} />}>
        <p style={{ marginTop: 0 }}>
          What is older is dropped, unless it is held. Who attested what, when and with which result stays, and so do
          the digests.
        </p>
        <Facts facts={FIELDS.map((field) => [KINDS[field], afterDays(data[field])])} />
      </Panel>
      <Panel title="Legal holds" flush actions={admin && <Place />}>
        <Table
          label="Legal holds"
          rows={data.holds}
          keyOf={({ flow, trail }) => `${flow}/${trail ?? ''}`}
          empty={
            <Empty icon="policies" title="Nothing is held">
              Hold a flow or a trail, and nothing of it is dropped until the hold is released.
            </Empty>
          }
          columns={[
            { head: 'What', kind: 'main', cell: (hold) => <HeldResource hold={hold} /> },
            { head: 'Why', kind: 'wide', cell: ({ reason }) => <bdi>{reason}</bdi> },
            { head: 'Placed by', cell: ({ placed_by }) => <bdi>{placed_by}</bdi> },
            { head: 'Placed', cell: ({ placed_at }) => <Time at={placed_at} /> },
            { head: 'Dropped before', cell: ({ dropped_before }) => <DroppedBefore kinds={dropped_before} /> },
            ...(admin ? [{ head: 'Actions', cell: (hold: Hold) => <Release hold={hold} /> }] : []),
          ]}
        />
      </Panel>
      {data.dropped.length > 0 && (
        <Panel title="What was dropped" flush>
          <Table
            label="What was dropped"
            rows={data.dropped}
            keyOf={({ event }) => String(event)}
            columns={[
              { head: 'What', kind: 'main', cell: ({ what }) => WORDS[what] ?? what },
              { head: 'Older than', kind: 'number', cell: ({ older_than_days: days }) => `${formatCount(days)} days` },
              { head: 'Recorded before', cell: ({ before }) => <Time at={before} /> },
              { head: 'Last dropped', cell: ({ dropped_at }) => <Time at={dropped_at} /> },
            ]}
          />
        </Panel>
      )}
    </>
  );
}

/** What was dropped before a hold was placed. Some of it may be gone. */
const DroppedBefore = ({ kinds }: { readonly kinds: Hold['dropped_before'] }) =>
  kinds.length === 0
    ? 'Nothing'
    : kinds.map(({ what, before }) => (
        <div key={what}>
          {WORDS[what] ?? what}, recorded before <Time at={before} />
        </div>
      ));

const afterDays = (days: number | null) => (days === null ? 'Never dropped' : `After ${formatCount(days)} days`);

const HeldResource = ({ hold: { flow, trail } }: { readonly hold: Hold }) =>
  trail === null ? (
    <NameLink to={to.flow(flow)}>{flow}</NameLink>
  ) : (
    <NameLink to={to.trail(flow, trail)}>
      {flow} / {trail}
    </NameLink>
  );

const Edit = ({ rules }: { readonly rules: Rules }) => (
  <FormDialog
    trigger="Change"
    title="Change the retention"
    onSubmit={async (values, org) => {
      const input = FIELDS.map((field) => [field, String(values.get(field)).trim()] as const);
      const body = Object.fromEntries(input.flatMap(([field, text]) => (text === '' ? [] : [[field, Number(text)]])));
      await api.PUT('/retention/{org}', { params: { path: { org } }, body });
    }}
  >
    <p>Days. An empty field means never. What is dropped does not come back.</p>
    {FIELDS.map((field) => (
      <TextInput key={field} name={field} label={KINDS[field]} type="number" value={String(rules[field] ?? '')} />
    ))}
  </FormDialog>
);

const Place = () => (
  <FormDialog
    trigger="New hold"
    look="main"
    title="Hold a flow or a trail"
    does="Hold"
    onSubmit={async (values, org) => {
      const text = (name: string) => String(values.get(name)).trim();
      await place(org, text('flow'), text('trail'), text('reason'));
    }}
  >
    <TextInput name="flow" label="Flow" required />
    <TextInput name="trail" label="Trail" help="All trails of the flow, those to come too, unless one is given." />
    <TextInput name="reason" label="Reason" required help="For whoever reads it later, such as the number of a case." />
  </FormDialog>
);

const place = (org: string, flow: string, trail: string, reason: string) =>
  trail === ''
    ? api.PUT('/retention/{org}/holds/{flow}', { params: { path: { org, flow } }, body: { reason } })
    : api.PUT('/retention/{org}/holds/{flow}/{trail}', { params: { path: { org, flow, trail } }, body: { reason } });

const Release = ({ hold: { flow, trail } }: { readonly hold: Hold }) => (
  <ConfirmDialog
    does="Release"
    title={`Release ${trail ?? flow}`}
    onConfirm={async (org) => {
      if (trail === null) await api.DELETE('/retention/{org}/holds/{flow}', { params: { path: { org, flow } } });
      else await api.DELETE('/retention/{org}/holds/{flow}/{trail}', { params: { path: { org, flow, trail } } });
    }}
  >
    The retention applies to <bdi>{trail === null ? flow : `${flow} / ${trail}`}</bdi> again. What it drops does not
    come back.
  </ConfirmDialog>
);
