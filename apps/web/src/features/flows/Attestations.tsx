import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { fileUrl, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import {
  Badge,
  DownloadLink,
  Empty,
  Facts,
  formatBytes,
  formatCount,
  Guarded,
  Hash,
  PageLink,
  Panel,
  SafeLink,
  Time,
  Verdict,
} from '../../ui';
import css from './Attestations.module.css';
import { Payload } from './Payload';
import { silenceOf } from './silence';

type Attestation = Schemas['Attestation'];

interface Props {
  readonly flow: string;
  readonly trail: Schemas['Trail'];
  /** Shows only attestations of this artifact and of the whole trail. */
  readonly fingerprint?: string;
}

/** The evidence of a trail. The attestation in the address is open. */
export function Attestations({ flow, trail, fingerprint }: Props) {
  const ids = idsOf(trail, fingerprint);
  return (
    <Panel title="Attestations" note="The evidence that was reported" flush>
      {ids.length === 0 ? (
        <Empty icon="types" title="No evidence yet" />
      ) : (
        ids.map((id) => (
          <Guarded key={id} lines={1}>
            <AttestationById flow={flow} trail={trail.name} id={id} />
          </Guarded>
        ))
      )}
    </Panel>
  );
}

/** How many of the newest attestations are loaded. */
const SHOWN = 50;

const idsOf = ({ events }: Schemas['Trail'], only?: string): readonly string[] =>
  [
    ...new Set(
      [...events]
        .filter(({ artifact_fingerprint: of }) => only === undefined || of === undefined || of === only)
        .sort((a, b) => b.timestamp - a.timestamp)
        .flatMap(({ attestation_id: id }) => id ?? []),
    ),
  ].slice(0, SHOWN);

function AttestationById({ flow, trail, id }: { readonly flow: string; readonly trail: string; readonly id: string }) {
  const org = useOrg();
  const [search] = useSearchParams();
  const data = useAnswer('/attestations/{org}', {}, { attestation_id: id });
  const isSelected = search.get('attestation_id') === id;
  useEffect(() => {
    if (isSelected) document.getElementById(id)?.scrollIntoView({ block: 'center' });
  }, [isSelected, id]);
  const [isOpen, setOpen] = useState(isSelected);
  const attestation = first(data);
  if (attestation === undefined) return null;
  const droppedParts = attestation.dropped ?? [];
  const isDropped = (part: string) => droppedParts.some(({ what }) => what === part);
  const silence = isDropped('payloads') ? null : silenceOf(attestation.attestation_type, attestation);
  return (
    <details
      key={String(isSelected)}
      id={id}
      className={css.one}
      open={isSelected}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={css.head}>
        <strong>
          <bdi>{attestation.attestation_name}</bdi>
        </strong>
        <span className="quiet small">
          <bdi>{attestation.type_name ?? attestation.attestation_type}</bdi>
          {attestation.target_artifact !== null && (
            <>
              {' of '}
              <bdi>{attestation.target_artifact}</bdi>
            </>
          )}
        </span>
        <Verdict value={attestation.is_compliant} />
        {silence !== null && <Badge tone="warn">{silence}</Badge>}
        <span className="small quiet end">
          <Time at={attestation.created_at} />
        </span>
      </summary>
      {isOpen && (
        <div className={css.body}>
          {!isDropped('payloads') && <Payload attestation={attestation} />}
          <Dropped rules={droppedParts} />
          <Origin attestation={attestation} />
          <Attachments attestation={attestation} />
          <p className="line">
            <DownloadLink href={fileUrl('attestations', org, flow, 'trail', trail, 'attestation', id, 'audit_package')}>
              Audit package
            </DownloadLink>
            {attestation._links.evidence !== null && !isDropped('attachments') && (
              <DownloadLink href={fileUrl('attestations', org, flow, 'trail', trail, 'attestation', id, 'evidence')}>
                Attachments
              </DownloadLink>
            )}
          </p>
        </div>
      )}
    </details>
  );
}

const first = (answer: unknown): Attestation | undefined =>
  Array.isArray(answer) ? (answer[0] as Attestation) : (answer as Schemas['AttestationList']).data[0];

function Origin({ attestation }: { readonly attestation: Attestation }) {
  const {
    artifact_fingerprint: fingerprint,
    flow_name,
    trail_name,
    overridden_attestation_id: overridden,
  } = attestation;
  return (
    <Facts
      facts={[
        ['Description', attestation.description && <bdi>{attestation.description}</bdi>],
        [
          'Artifact',
          fingerprint && <PageLink to={to.artifact(flow_name, fingerprint)}>{fingerprint.slice(0, 12)}</PageLink>,
        ],
        ['Made', attestation.made_at && <Time at={attestation.made_at} />],
        ['Reported by', <bdi>{attestation.reported_by}</bdi>],
        ['Origin', attestation.origin_url && <SafeLink href={attestation.origin_url} />],
        [
          'Overrides',
          overridden && <PageLink to={to.attestation(flow_name, trail_name, overridden)}>another attestation</PageLink>,
        ],
        ...Object.entries(attestation.external_urls ?? {}).map(
          ([name, { href }]) => [name, <SafeLink key={name} href={href} />] as const,
        ),
        ...Object.entries(attestation.annotations ?? {}).map(
          ([name, value]) => [name, <bdi key={name}>{value}</bdi>] as const,
        ),
      ]}
    />
  );
}

/** What retention dropped of an attestation, so that an empty field is not taken for an empty report. */
const Dropped = ({ rules }: { readonly rules: readonly Schemas['Dropped'][] }) =>
  rules.map(({ what, older_than_days: days, dropped_at }) => (
    <p key={what} className="quiet">
      {what === 'payloads' ? 'Payload and user data' : 'Attachments'} were dropped, because they are older than{' '}
      {formatCount(days)} days: <Time at={dropped_at} />
    </p>
  ));

function Attachments({ attestation: { attachments } }: { readonly attestation: Attestation }) {
  if (attachments.length === 0) return null;
  return (
    <ul className={css.files}>
      {attachments.map(({ filename, sha256, size }) => (
        <li key={filename + sha256} className="line">
          <bdi>{filename}</bdi>
          <span className="quiet small">{formatBytes(size)}</span>
          <Hash value={sha256} kind="SHA-256" />
        </li>
      ))}
    </ul>
  );
}
