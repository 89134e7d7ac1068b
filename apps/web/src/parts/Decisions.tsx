import { to } from '../app/paths';
import type { Schemas } from '../api/client';
import { Badge, NameLink, Verdict } from '../ui';
import { AttestCommand } from './AttestCommand';
import { demandOf, failureOf } from './demand';
import css from './parts.module.css';

type Evaluation = Schemas['RuleEvaluation'];

interface Props {
  readonly decisions: readonly Schemas['PolicyDecision'][];
  /** The fingerprint of the artifact; empty if it is not known. */
  readonly fingerprint: string;
}

/** The decision of each policy on an artifact. Each rule is shown with its reasons. */
export const Decisions = ({ decisions, fingerprint }: Props) => (
  <ul className={css.decisions}>
    {decisions.map(({ policy_name, policy_version, status, rule_evaluations }) => (
      <li key={`${policy_name} ${policy_version}`}>
        <p className="line">
          <NameLink to={to.policy(policy_name)}>{policy_name}</NameLink>
          <span className="quiet small">version {policy_version}</span>
          <Verdict value={status} />
        </p>
        <ul className={css.rules}>
          {rule_evaluations.map((evaluation, i) => (
            <li key={i}>
              <Rule evaluation={evaluation} fingerprint={fingerprint} />
            </li>
          ))}
        </ul>
      </li>
    ))}
  </ul>
);

interface RuleProps {
  readonly evaluation: Evaluation;
  readonly fingerprint: string;
}

function Rule({ evaluation, fingerprint }: RuleProps) {
  const { satisfied, ignored, resolutions } = evaluation;
  const isUnknown = resolutions.some(({ reason }) => reason === 'missing_sbom' || reason === 'incomplete_sbom');
  return (
    <>
      <p className="line">
        {ignored ? (
          <Badge tone="none">{isUnknown ? 'Unknown' : 'Does not apply'}</Badge>
        ) : (
          <Verdict value={satisfied}>
            {satisfied === null ? 'Not judged' : satisfied ? 'Satisfied' : 'Not satisfied'}
          </Verdict>
        )}
        <bdi>{demandOf(evaluation)}</bdi>
      </p>
      {resolutions
        .filter(({ type }) => type !== 'rule_satisfied')
        .map(({ type, reason = type, context }, i) => (
          <div key={i} className="small quiet">
            {failureOf({ resolution: reason })}
            {context.trail_name !== null && (
              <>
                {' in '}
                <NameLink to={to.trail(context.flow_name, context.trail_name)}>
                  {`${context.flow_name} / ${context.trail_name}`}
                </NameLink>
              </>
            )}
            {context.for_control !== undefined && (
              <>
                {' for '}
                <NameLink to={to.control(context.for_control)}>{context.for_control}</NameLink>
              </>
            )}
            {reason === 'missing_attestation' && context.trail_name !== null && fingerprint !== '' && (
              <AttestCommand
                flow={context.flow_name}
                trail={context.trail_name}
                fingerprint={fingerprint}
                rule={evaluation.rule}
              />
            )}
          </div>
        ))}
    </>
  );
}
