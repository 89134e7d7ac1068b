import { useParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { useSnapshot } from '../../api/snapshots';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Empty, formatCount, Guarded, Hash, NameLink, Page, PageLink, Panel, Time, Verdict, wordsOf } from '../../ui';
import { ArtifactName } from '../../parts/ArtifactName';
import { AllowedBy } from '../../parts/AllowedBy';
import { DraftEffects } from './DraftEffects';
import { PolicyForm } from './PolicyForm';
import { Versions } from './Versions';

export function PolicyPage() {
  const { policy: name = '' } = useParams();
  const may = useMay();
  const policy = useAnswer('/policies/{org}/{policy}', { policy: name });
  const latest = [...policy.versions].sort((a, b) => b.version - a.version)[0];
  const source = latest?.policy_yaml ?? '';
  return (
    <Page
      title={policy.name}
      kind="Policy"
      above={[{ text: 'Policies', href: to.policies }]}
      lead={policy.description}
      actions={may('record') && <PolicyForm policy={{ ...policy, source }} />}
    >
      <div className="columns">
        <Versions
          key={policy.versions.length}
          title="Source"
          versions={policy.versions.map(({ version, policy_yaml, created_by, timestamp, comment }) => ({
            version,
            text: policy_yaml,
            by: created_by,
            at: timestamp,
            comment,
          }))}
        />
        <div className="stack">
          {latest?.accepts_unmatched === true && (
            <Panel
              title="Accepts what cannot be compared"
              note="This version was stored before components that no database of vulnerabilities can be compared with, and SBOMs without components, counted. Saved again, its text refuses them unless it has allow_unmatched: true or allow_empty: true."
            >
              <DraftEffects policy={policy.name} source={source} onAnswer={() => undefined} />
            </Panel>
          )}
          <Panel title="In force in" note="and what it decides of what runs there now" flush>
            <InForce policy={policy} />
          </Panel>
          <Panel title="What happened" flush>
            <Events events={policy.events} />
          </Panel>
        </div>
      </div>
    </Page>
  );
}

/** For how many environments the decisions of the policy are requested. */
const ENVIRONMENTS_MAX = 20;

function InForce({ policy }: { readonly policy: Schemas['Policy'] }) {
  if (policy.consuming_envs.length === 0) {
    return (
      <Empty icon="environments" title="In force nowhere">
        Attach it on the page of an environment.
      </Empty>
    );
  }
  return (
    <ul className="plain">
      {policy.consuming_envs.slice(0, ENVIRONMENTS_MAX).map((env) => (
        <li key={env}>
          <Guarded lines={1}>
            <DecidedIn env={env} policy={policy.name} />
          </Guarded>
        </li>
      ))}
    </ul>
  );
}

function DecidedIn({ env, policy }: { readonly env: string; readonly policy: string }) {
  const data = useAnswer('/environments/{org}/{env}', { env });
  if (data.last_changed_at !== null) return <EnvironmentVerdicts env={env} policy={policy} />;
  return (
    <div className="line">
      <NameLink to={to.environment(env)}>{env}</NameLink>
      <span className="quiet small">nothing runs there yet</span>
    </div>
  );
}

function EnvironmentVerdicts({ env, policy }: { readonly env: string; readonly policy: string }) {
  const data = useSnapshot(env, '-1', { show: 'running', perPage: 1 });
  const appliedPolicy = data.applied_policies.find(({ name }) => name === policy);
  const { failing_count: violating = 0, allowed_count: allowed = 0 } = appliedPolicy ?? {};
  const failingCount = violating - allowed;
  return (
    <>
      <div className="line">
        <NameLink to={to.environment(env)}>{env}</NameLink>
        <PolicyVerdict
          isApplied={appliedPolicy !== undefined}
          failing={failingCount}
          allowed={allowed}
          total={data.total}
        />
        {allowed > 0 && <span className="small">{formatCount(allowed)} allowed despite it</span>}
        <PageLink className="small" to={to.snapshot(env, data.index)}>
          Snapshot {data.index}
        </PageLink>
      </div>
      {allowed > 0 && (
        <Guarded lines={1}>
          <AllowedIn env={env} policy={policy} count={allowed} />
        </Guarded>
      )}
    </>
  );
}

interface PolicyVerdictProps {
  /** Whether the policy judged the newest snapshot. */
  readonly isApplied: boolean;
  /** How many artifacts fail, without those that are allowed. */
  readonly failing: number;
  readonly allowed: number;
  readonly total: number;
}

function PolicyVerdict({ isApplied, failing, allowed, total }: PolicyVerdictProps) {
  if (total === 0) return <span className="quiet small">Nothing runs there</span>;
  if (!isApplied) return <Verdict value={null} />;
  return (
    <Verdict value={failing === 0}>
      {failing === 0 ? `${formatCount(total - allowed)} pass` : `${formatCount(failing)} of ${formatCount(total)} fail`}
    </Verdict>
  );
}

/** How many allowed artifacts of an environment are searched, and how many are shown. */
const CANDIDATES_MAX = 100;
const ALLOWED = 5;

interface AllowedProps {
  readonly env: string;
  readonly policy: string;
  /** How many there are. */
  readonly count: number;
}

/** Artifacts that run in an environment because they are allowed there, although the policy refuses them. */
function AllowedIn({ env, policy, count }: AllowedProps) {
  const { artifacts, applied_policies } = useSnapshot(env, '-1', { show: 'allowed', perPage: CANDIDATES_MAX });
  const failingFingerprints = new Set(applied_policies.find(({ name }) => name === policy)?.failing_artifacts);
  const allowedArtifacts = artifacts
    .filter(({ fingerprint }) => failingFingerprints.has(fingerprint))
    .slice(0, ALLOWED);
  return (
    <ul className="plain small">
      {allowedArtifacts.map(
        ({ fingerprint, flow_name, name, allow_listing }) =>
          allow_listing !== null && (
            <li key={`${fingerprint} ${name}`} className="pile">
              <ArtifactName flow={flow_name} fingerprint={fingerprint} name={name} />
              <Hash value={fingerprint} />
              <AllowedBy listing={allow_listing} />
            </li>
          ),
      )}
      {count > allowedArtifacts.length && (
        <li>
          <NameLink to={to.environment(env)}>and {formatCount(count - allowedArtifacts.length)} more</NameLink>
        </li>
      )}
    </ul>
  );
}

const Events = ({ events }: { readonly events: Schemas['Policy']['events'] }) => (
  <ol className="plain">
    {[...events]
      .sort((a, b) => b.timestamp - a.timestamp)
      .slice(0, 100)
      .map(({ type, timestamp, user, data }, i) => (
        <li key={i} className="line">
          <span>{wordsOf(type)}</span>
          {data.version !== undefined && <span>version {data.version}</span>}
          {data.environment !== undefined && (
            <NameLink to={to.environment(data.environment)}>{data.environment}</NameLink>
          )}
          <span className="small quiet end">
            <bdi>{user}</bdi>, <Time at={timestamp} />
          </span>
        </li>
      ))}
  </ol>
);
