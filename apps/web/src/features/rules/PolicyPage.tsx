import { useParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { useSnapshot } from '../../api/snapshots';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Empty, formatCount, Guarded, NameLink, Page, PageLink, Panel, Time, Verdict, wordsOf } from '../../ui';
import { AllowedBy } from '../../parts/AllowedBy';
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
      lead={<bdi>{policy.description}</bdi>}
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

/** How many environments are asked for what the policy decides there. */
const ASKED = 20;

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
      {policy.consuming_envs.slice(0, ASKED).map((env) => (
        <li key={env}>
          <Guarded lines={1}>
            <DecidedIn env={env} policy={policy.name} />
          </Guarded>
          <Guarded lines={1}>
            <AllowedIn env={env} />
          </Guarded>
        </li>
      ))}
    </ul>
  );
}

function DecidedIn({ env, policy }: { readonly env: string; readonly policy: string }) {
  const data = useAnswer('/environments/{org}/{env}', { env });
  return (
    <div className="line">
      <NameLink to={to.environment(env)}>{env}</NameLink>
      {data.last_changed_at === null ? (
        <span className="quiet small">nothing runs there yet</span>
      ) : (
        <Decided env={env} policy={policy} />
      )}
    </div>
  );
}

/** How many entries of an allow-list are shown. */
const ALLOWED = 5;

/** What is accepted in an environment whatever the policy decides. */
function AllowedIn({ env }: { readonly env: string }) {
  const { artifacts, total_count: count } = useAnswer('/allowlists/{org}/{env}', { env }, { per_page: ALLOWED });
  if (count === 0) return null;
  return (
    <ul className="plain small">
      {artifacts.map(({ artifact_fingerprint, artifact_name, created_by, created_at, description, expires_at }) => (
        <li key={artifact_fingerprint} className="line">
          <bdi>{artifact_name || artifact_fingerprint.slice(0, 12)}</bdi>
          <AllowedBy listing={{ user_name: created_by, timestamp: created_at, description, expires_at }} />
        </li>
      ))}
      {count > artifacts.length && (
        <li>
          <NameLink to={to.environment(env)}>and {formatCount(count - artifacts.length)} more</NameLink>
        </li>
      )}
    </ul>
  );
}

function Decided({ env, policy }: { readonly env: string; readonly policy: string }) {
  const data = useSnapshot(env, '-1', { show: 'running', perPage: 1 });
  const applied = data.applied_policies.find(({ name }) => name === policy);
  const { failing_count: violating = 0, allowed_count: allowed = 0 } = applied ?? {};
  const failing = violating - allowed;
  return (
    <>
      <Verdict value={applied === undefined ? null : failing === 0}>
        {failing === 0
          ? `${formatCount(data.total - allowed)} pass`
          : `${formatCount(failing)} of ${formatCount(data.total)} fail`}
      </Verdict>
      {allowed > 0 && <span className="small">{formatCount(allowed)} allowed despite it</span>}
      <PageLink className="small" to={to.snapshot(env, data.index)}>
        Snapshot {data.index}
      </PageLink>
    </>
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
