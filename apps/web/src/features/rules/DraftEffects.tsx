import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { ApiError } from '../../api/error';
import { useOrg } from '../../api/session';
import { to } from '../../app/paths';
import { Button, formatCount, Verdict } from '../../ui';
import { LinkBeside } from '../../ui/SafeLink';

type Effects = Schemas['PolicyDraftAnswer'];

interface Props {
  readonly policy: string;
  /** The text of the draft. */
  readonly source: string;
  /** Receives the refusal of the draft, or null if it was judged. */
  readonly onAnswer: (fault: ApiError | null) => void;
}

/** The changes that a draft would cause, shown on request: for the artifacts that run now, and for the deployments of the last 30 days. */
export function DraftEffects({ policy, source, onAnswer }: Props) {
  const org = useOrg();
  const [pending, setPending] = useState(false);
  const [answer, setAnswer] = useState<{ readonly of: string; readonly effects: Effects | ApiError } | null>(null);
  const ask = async () => {
    setPending(true);
    const effects = await effectsOf(org, policy, source);
    setAnswer({ of: source, effects });
    onAnswer(effects instanceof ApiError ? effects : null);
    setPending(false);
  };
  return (
    <div className="stack" style={{ gap: '0.5rem' }}>
      <div>
        <Button isPending={pending} onPress={() => void ask()}>
          Show what it would change
        </Button>
      </div>
      <div className="small stack" style={{ gap: '0.5rem' }}>
        <div role="status">
          {answer !== null && answer.of !== source && <p className="quiet">The source was changed. Ask again.</p>}
          {answer?.of === source &&
            (answer.effects instanceof ApiError ? (
              <p>
                {Object.keys(answer.effects.fields).length === 0
                  ? answer.effects.message
                  : 'Not judged: see what is wrong below the source.'}
              </p>
            ) : (
              <Summary effects={answer.effects} name={policy} />
            ))}
        </div>
        {answer?.of === source && !(answer.effects instanceof ApiError) && <Changes effects={answer.effects} />}
      </div>
    </div>
  );
}

async function effectsOf(org: string, policy: string, source: string): Promise<Effects | ApiError> {
  try {
    const params = { path: { org, policy } };
    const { data } = await api.POST('/policies/{org}/{policy}/draft', { params, body: { policy_yaml: source } });
    return data ?? new ApiError(-1, 'The answer is empty.');
  } catch (error) {
    return error instanceof ApiError ? error : new ApiError(-1, String(error));
  }
}

function Summary({ effects, name }: { readonly effects: Effects; readonly name: string }) {
  const { version, environments, environments_not_judged, running, deployed } = effects;
  if (environments.length === 0) return <p>It is in force nowhere, so that no verdict would change.</p>;
  return (
    <div className="stack" style={{ gap: '0.5rem' }}>
      <p>
        Compared with version {version} of <bdi>{name}</bdi>:
      </p>
      <JudgedCounts subject="that run now" counts={running} unjudgedSubject="artifacts" />
      <JudgedCounts subject="deployed in the last 30 days" counts={deployed} unjudgedSubject="deployments" />
      {environments_not_judged > 0 && <p>{formatCount(environments_not_judged)} more environments were not judged.</p>}
    </div>
  );
}

interface JudgedCountsProps {
  readonly subject: string;
  readonly counts: Pick<Effects['running'], 'judged' | 'become_compliant' | 'become_non_compliant' | 'not_judged'>;
  /** The text for what was not judged. */
  readonly unjudgedSubject: string;
}

const JudgedCounts = ({ subject, counts, unjudgedSubject }: JudgedCountsProps) => (
  <p>
    Of {formatCount(counts.judged)} artifacts {subject}, {formatCount(counts.become_non_compliant)} would become
    non-compliant and {formatCount(counts.become_compliant)} would become compliant.
    {counts.not_judged > 0 && ` ${formatCount(counts.not_judged)} ${unjudgedSubject} were too many to judge.`}
  </p>
);

function Changes({ effects: { changes, changes_not_listed } }: { readonly effects: Effects }) {
  if (changes.length === 0) return null;
  return (
    <>
      <div
        role="group"
        tabIndex={0}
        aria-label="What would change"
        style={{
          maxBlockSize: '16rem',
          overflow: 'auto',
          border: '1px solid var(--line)',
          borderRadius: 'var(--radius)',
        }}
      >
        <ul className="plain">
          {changes.map(({ environment, fingerprint, name, running, compliant, reasons }) => (
            <li key={`${environment} ${fingerprint} ${name}`} className="pile">
              <span className="line">
                <Artifact fingerprint={fingerprint} name={name} />
                <Verdict value={compliant}>{compliant ? 'Would be compliant' : 'Would be non-compliant'}</Verdict>
              </span>
              <span className="small quiet">
                {running ? 'runs in' : 'ran in'} <LinkBeside to={to.environment(environment)}>{environment}</LinkBeside>
              </span>
              {reasons.map((reason) => (
                <bdi key={reason} className="small">
                  {compliant && 'Now: '}
                  {reason}
                </bdi>
              ))}
            </li>
          ))}
        </ul>
      </div>
      {changes_not_listed > 0 && <p>and {formatCount(changes_not_listed)} more</p>}
    </>
  );
}

const Artifact = ({ fingerprint, name }: { readonly fingerprint: string; readonly name: string }) =>
  fingerprint === '' ? <bdi>{name}</bdi> : <LinkBeside to={to.unknownArtifact(fingerprint)}>{name}</LinkBeside>;
