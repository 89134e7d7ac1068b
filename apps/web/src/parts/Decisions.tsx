import { to } from '../app/paths';
import type { Schemas } from '../api/client';
import { Badge, NameLink, Verdict, wordsOf } from '../ui';
import css from './parts.module.css';

type Evaluation = Schemas['RuleEvaluation'];

/** The decision of each policy on an artifact, rule by rule with reasons. */
export const Decisions = ({ decisions }: { readonly decisions: readonly Schemas['PolicyDecision'][] }) => (
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
              <Rule evaluation={evaluation} />
            </li>
          ))}
        </ul>
      </li>
    ))}
  </ul>
);

function Rule({ evaluation }: { readonly evaluation: Evaluation }) {
  const { satisfied, ignored, resolutions } = evaluation;
  return (
    <>
      <p className="line">
        {ignored ? (
          <Badge tone="none">Does not apply</Badge>
        ) : (
          <Verdict value={satisfied}>{satisfied === true ? 'Satisfied' : 'Not satisfied'}</Verdict>
        )}
        <bdi>{demandOf(evaluation)}</bdi>
      </p>
      {resolutions
        .filter(({ type }) => type !== 'rule_satisfied')
        .map(({ type, context }, i) => (
          <p key={i} className="small quiet">
            {wordsOf(type)}
            {context.trail_name !== null && (
              <>
                {' in '}
                <bdi>
                  {context.flow_name} / {context.trail_name}
                </bdi>
              </>
            )}
          </p>
        ))}
    </>
  );
}

/** The requirement of a rule, as a sentence. */
function demandOf({ rule }: Evaluation): string {
  const { type, definition } = rule;
  if (type === 'provenance') return 'It is known where the artifact comes from';
  if (type === 'trail-compliance') return 'The trail complies with its template';
  if (!('name' in definition)) return wordsOf(type);
  const named = definition.name === '*' ? '' : ` named ${definition.name}`;
  const kind = definition.type === '*' ? 'An attestation' : `An attestation of type ${definition.type}`;
  return `${kind}${named} is there${definition.must_be_compliant ? ' and complies' : ''}`;
}
