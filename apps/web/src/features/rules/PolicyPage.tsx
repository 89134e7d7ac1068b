import { Link, useParams } from 'react-router';
import { query, type Schemas } from '../../api/client';
import { useMay, useOrg } from '../../api/session';
import { useSnapshot } from '../../api/snapshots';
import { to } from '../../app/paths';
import { Empty, formatCount, Guarded, Page, Panel, Time, Verdict, wordsOf } from '../../ui';
import { PolicyForm } from './PolicyForm';
import { Versions } from './Versions';

export const PolicyPage = () => (
  <Guarded page>
    <Loaded />
  </Guarded>
);

function Loaded() {
  const org = useOrg();
  const { policy: name = '' } = useParams();
  const may = useMay();
  const { data: policy } = query.useSuspenseQuery('get', '/policies/{org}/{policy}', {
    params: { path: { org, policy: name } },
  });
  const latest = [...policy.versions].sort((a, b) => b.version - a.version)[0];
  const source = latest?.policy_yaml ?? '';
  return (
    <Page
      title={policy.name}
      kind="Policy"
      above={[{ text: 'Policies', href: to.policies(org) }]}
      lead={<bdi>{policy.description}</bdi>}
      actions={may('record') && <PolicyForm org={org} policy={{ ...policy, source }} />}
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
            <InForce org={org} policy={policy} />
          </Panel>
          <Panel title="What happened" flush>
            <Events org={org} events={policy.events} />
          </Panel>
        </div>
      </div>
    </Page>
  );
}

interface Props {
  readonly org: string;
  readonly policy: Schemas['Policy'];
}

/** How many environments are asked for what the policy decides there. */
const ASKED = 20;

function InForce({ org, policy }: Props) {
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
            <DecidedIn org={org} env={env} policy={policy.name} />
          </Guarded>
        </li>
      ))}
    </ul>
  );
}

function DecidedIn({ org, env, policy }: { readonly org: string; readonly env: string; readonly policy: string }) {
  const { data } = query.useSuspenseQuery('get', '/environments/{org}/{env}', { params: { path: { org, env } } });
  return (
    <div className="line">
      <Link to={to.environment(org, env)}>
        <bdi>{env}</bdi>
      </Link>
      {data.last_changed_at === null ? (
        <span className="quiet small">nothing runs there yet</span>
      ) : (
        <Decided org={org} env={env} policy={policy} />
      )}
    </div>
  );
}

function Decided({ org, env, policy }: { readonly org: string; readonly env: string; readonly policy: string }) {
  const data = useSnapshot(org, env, '-1', { show: 'running', perPage: 1 });
  const applied = data.applied_policies.find(({ name }) => name === policy);
  const failing = applied?.failing_count ?? 0;
  return (
    <>
      <Verdict value={applied === undefined ? null : failing === 0}>
        {failing === 0
          ? `${formatCount(data.total)} pass`
          : `${formatCount(failing)} of ${formatCount(data.total)} fail`}
      </Verdict>
      <Link className="small" to={to.snapshot(org, env, data.index)}>
        Snapshot {data.index}
      </Link>
    </>
  );
}

const Events = ({ org, events }: { readonly org: string; readonly events: Schemas['Policy']['events'] }) => (
  <ol className="plain">
    {[...events]
      .sort((a, b) => b.timestamp - a.timestamp)
      .slice(0, 100)
      .map(({ type, timestamp, user, data }, i) => (
        <li key={i} className="line">
          <span>{wordsOf(type)}</span>
          {data.version !== undefined && <span>version {data.version}</span>}
          {data.environment !== undefined && (
            <Link to={to.environment(org, data.environment)}>
              <bdi>{data.environment}</bdi>
            </Link>
          )}
          <span className="small quiet end">
            <bdi>{user}</bdi>, <Time at={timestamp} />
          </span>
        </li>
      ))}
  </ol>
);
