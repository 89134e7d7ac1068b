import { to } from '../app/paths';
import { formatCount, NamesInText, Verdict } from '../ui';
import { type RunningPlace, worstVerdict } from './worst-verdict';

/** How many environments are named. */
const NAMED = 3;

/** The worst verdict of the environments that run an artifact, and which ones they are. Empty if it runs nowhere. */
export function VerdictWhereItRuns({ running }: { readonly running: readonly RunningPlace[] }) {
  const worst = worstVerdict(running);
  if (worst === null) return null;
  const { compliant, environments } = worst;
  const more = environments.length - NAMED;
  return (
    <span className="line">
      <Verdict value={compliant}>{wordsOf(compliant)}</Verdict>
      <span className="small">
        <NamesInText names={environments.slice(0, NAMED)} to={to.environment} />
        {more > 0 && ` and ${formatCount(more)} more`}
      </span>
    </span>
  );
}

function wordsOf(compliant: boolean | null): string {
  if (compliant === null) return 'Not judged in';
  return compliant ? 'Complies in' : 'Refused in';
}
