import type { Schemas } from '../api/client';
import { useAnswer } from '../api/use-answer';
import { Guarded, Time, Verdict } from '../ui';
import css from './parts.module.css';

type Judged = Pick<Schemas['SnapshotArtifact'], 'compliant' | 'policy_decisions'>;

/** Whether an artifact complies although a policy refuses it: an entry of the allow-list decided. */
export const isAllowed = ({ compliant, policy_decisions }: Judged): boolean =>
  compliant === true && policy_decisions.some(({ status }) => status === 'NON-COMPLIANT');

interface Props {
  readonly env: string;
  readonly fingerprint: string;
}

/** That an artifact is allowed despite policies; by whom, why and since when where its entry is among the newest of the allow-list. */
export const AllowedBy = (props: Props) => (
  <span className={css.name}>
    <Verdict value={true}>Allowed</Verdict>
    <Guarded lines={1}>
      <Entry {...props} />
    </Guarded>
  </span>
);

/** How many entries of the allow-list are asked for. */
const NEWEST = 100;

function Entry({ env, fingerprint }: Props) {
  const { artifacts } = useAnswer('/allowlists/{org}/{env}', { env }, { per_page: NEWEST });
  const entry = artifacts.find(({ artifact_fingerprint }) => artifact_fingerprint === fingerprint);
  if (entry === undefined) return null;
  return (
    <span className="small">
      allowed by <bdi>{entry.created_by}</bdi>, <Time at={entry.created_at} />
      {entry.description !== '' && (
        <>
          , because: <bdi>{entry.description}</bdi>
        </>
      )}
    </span>
  );
}
