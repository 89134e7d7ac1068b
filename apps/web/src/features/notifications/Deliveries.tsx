import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Badge, Button, Empty, PageLink, Table, Time } from '../../ui';

type Delivery = Schemas['Delivery'];

const STATES = {
  pending: ['warn', 'clock', 'Pending'],
  delivered: ['good', 'check', 'Delivered'],
  dead: ['bad', 'cross', 'Given up'],
} as const;

/** The deliveries of a notification with every attempt, newest first. */
export function Deliveries({ number }: { readonly number: string }) {
  const [before, setBefore] = useState<string | null>(null);
  const data = useAnswer(
    '/organizations/{org}/environments_notifications/{notification_number}/deliveries',
    { notification_number: number },
    { per_page: 20, before: before ?? undefined },
  );
  return (
    <>
      <Table
        label="Deliveries"
        rows={data.deliveries}
        keyOf={({ id }) => id}
        empty={<Empty icon="notifications" title="Nothing was sent yet" />}
        columns={[
          {
            head: 'State',
            cell: ({ state }) => {
              const [tone, icon, text] = STATES[state];
              return (
                <Badge tone={tone} icon={icon}>
                  {text}
                </Badge>
              );
            },
          },
          { head: 'Message', kind: 'main', cell: (delivery) => <Message delivery={delivery} /> },
          { head: 'Attempts', kind: 'wide', cell: (delivery) => <Attempts delivery={delivery} /> },
          { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      {(data.next !== null || before !== null) && (
        <p className="line" style={{ justifyContent: 'center', padding: '0.5rem', margin: 0 }}>
          <Button look="quiet" isDisabled={before === null} onPress={() => setBefore(null)}>
            Newest
          </Button>
          <Button look="quiet" isDisabled={data.next === null} onPress={() => setBefore(data.next)}>
            Older
          </Button>
        </p>
      )}
    </>
  );
}

function Message({ delivery: { environment, snapshot_index, events } }: { readonly delivery: Delivery }) {
  if (environment === null || snapshot_index === null) return <>A test</>;
  return (
    <PageLink to={to.snapshot(environment, snapshot_index)}>
      {events} {events === 1 ? 'event' : 'events'} of <bdi>{environment}</bdi>, snapshot {snapshot_index}
    </PageLink>
  );
}

const Attempts = ({
  delivery: { attempts, attempts_count, reason, next_attempt_at },
}: {
  readonly delivery: Delivery;
}) => (
  <span className="pile small">
    {attempts.map(({ at, outcome, detail, duration_ms }, i) => (
      <span key={i}>
        <Time at={at} />: {outcome}, <bdi>{detail}</bdi>{' '}
        <span className="quiet">({Math.round(duration_ms)}&nbsp;ms)</span>
      </span>
    ))}
    {attempts_count > attempts.length && <span className="quiet">{attempts_count} attempts in all</span>}
    {reason !== null && reason !== attempts.at(-1)?.detail && <bdi>{reason}</bdi>}
    {next_attempt_at !== null && (
      <span className="quiet">
        next <Time at={next_attempt_at} />
      </span>
    )}
  </span>
);
