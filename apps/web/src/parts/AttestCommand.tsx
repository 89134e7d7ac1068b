import { BASE, type Schemas } from '../api/client';
import { useOrg } from '../api/session';
import { CodeLines } from '../ui';
import { attestLines } from './attest-lines';
import css from './parts.module.css';

interface Props {
  readonly flow: string;
  readonly trail: string;
  /** Left out for evidence of the trail as a whole. */
  readonly fingerprint?: string;
  readonly rule: Pick<Schemas['RuleEvaluation']['rule'], 'definition'>;
}

/** A command that adds the attestation that a rule requires. */
export function AttestCommand(props: Props) {
  const org = useOrg();
  return (
    <details className={css.more}>
      <summary>How to attest it</summary>
      <CodeLines
        label="Lines that attest it"
        text={attestLines({ ...props, org, api: `${location.origin}${BASE}api/v2` })}
      />
    </details>
  );
}
