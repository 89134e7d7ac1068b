import { Suspense } from 'react';
import type { Schemas } from '../api/client';
import { useAnswer } from '../api/use-answer';
import { to } from '../app/paths';
import { nameOfType, NameLink } from '../ui';
import { ArtifactName } from './ArtifactName';
import { AttestCommand } from './AttestCommand';
import { failureOf } from './demand';
import css from './parts.module.css';

type Artifact = Schemas['SnapshotArtifact'];
type Cause = Schemas['FailureCause'];
type Resolution = Schemas['RuleEvaluation']['resolutions'][number];

/** How many artifacts a cause names. */
const NAMED = 2;

interface Props {
  readonly cause: Cause;
  /** The first artifacts that fail, for whatever cause. */
  readonly artifacts: readonly Artifact[];
}

/** The first artifacts that fail for a cause: what each lacks, where, and the command that attests it. */
export const Examples = ({ cause, artifacts }: Props) =>
  artifacts
    .flatMap((artifact) => {
      const resolution = resolutionOf(artifact, cause);
      return resolution === undefined ? [] : [{ artifact, resolution }];
    })
    .slice(0, NAMED)
    .map(({ artifact, resolution }) => (
      <Suspense key={artifact.fingerprint}>
        {resolution.type === 'non_compliant_in_trail' && resolution.context.trail_name !== null ? (
          <OfTrail artifact={artifact} resolution={resolution} />
        ) : (
          <Example
            artifact={artifact}
            resolution={resolution}
            lack={lackOf(cause)}
            fingerprint={artifact.fingerprint}
          />
        )}
      </Suspense>
    ));

/** How an artifact fails a rule; undefined if it does not fail for this cause. */
function resolutionOf(
  { policy_decisions }: Artifact,
  { policy_name, rule, resolution }: Cause,
): Resolution | undefined {
  const text = JSON.stringify(rule);
  return policy_decisions
    .filter((decision) => decision.policy_name === policy_name)
    .flatMap(({ rule_evaluations }) => rule_evaluations)
    .find((evaluation) => JSON.stringify(evaluation.rule) === text)
    ?.resolutions.find(({ type, reason = type }) => reason === resolution);
}

/** What evidence an artifact or a trail lacks, and the rule that a command meets. */
interface Lack {
  readonly text: string;
  readonly rule?: Pick<Cause['rule'], 'definition'>;
}

function lackOf({ rule, resolution }: Cause): Lack {
  const { definition } = rule;
  if (!('must_be_compliant' in definition)) return { text: failureOf({ resolution }) };
  const { name, type, for_control: control } = definition;
  const kind = name === '*' ? nameOfType(type === '*' ? 'attestation' : type) : name;
  const subject = control === undefined ? kind : `${kind} for ${control}`;
  return resolution === 'missing_attestation'
    ? { text: `${subject} missing`, rule }
    : { text: `${subject} not compliant` };
}

interface ExampleProps {
  readonly artifact: Artifact;
  readonly resolution: Resolution;
  readonly lack: Lack;
  /** Left out for evidence of the trail as a whole. */
  readonly fingerprint?: string;
}

function Example({ artifact, resolution: { context }, lack: { text, rule }, fingerprint }: ExampleProps) {
  const { flow_name: flow, trail_name: trail } = context;
  return (
    <>
      <span className={css.cause}>
        <ArtifactName flow={flow} fingerprint={artifact.fingerprint} name={artifact.name} />: <bdi>{text}</bdi>
        {trail !== null && (
          <>
            {' in '}
            <NameLink to={to.trail(flow, trail)}>{`${flow} / ${trail}`}</NameLink>
          </>
        )}
      </span>
      {rule !== undefined && trail !== null && fingerprint !== '' && (
        <AttestCommand flow={flow} trail={trail} rule={rule} {...(fingerprint && { fingerprint })} />
      )}
    </>
  );
}

/** What the trail of an artifact lacks by its template: the first of the missing and failed evidence. */
function OfTrail({ artifact, resolution }: Pick<ExampleProps, 'artifact' | 'resolution'>) {
  const { flow_name: flow, trail_name: trail } = resolution.context;
  const { compliance_status: status } = useAnswer('/trails/{org}/{flow}/{trail}', { flow, trail: trail ?? '' });
  const ofArtifacts = Object.values(status.artifacts_statuses).map((of) => ({
    fingerprint: of.artifact_fingerprint ?? '',
    statuses: of.attestations_statuses,
  }));
  const [first] = [{ statuses: status.attestations_statuses }, ...ofArtifacts].flatMap(({ statuses, ...of }) =>
    statuses.filter(({ is_compliant }) => is_compliant !== true).map((lacking) => ({ ...of, lacking })),
  );
  if (first === undefined)
    return <Example artifact={artifact} resolution={resolution} lack={{ text: 'not compliant' }} />;
  const { lacking, ...of } = first;
  const { attestation_name: name, attestation_type: type } = lacking;
  const lack =
    lacking.status === 'MISSING'
      ? { text: `${name} missing`, rule: { definition: { if: null, name, type, must_be_compliant: true } } }
      : { text: `${name} not compliant` };
  return <Example artifact={artifact} resolution={resolution} lack={lack} {...of} />;
}
