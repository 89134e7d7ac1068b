import { SEVERITIES } from '@assurance/contracts/vulnerabilities/events';
import type { Shared } from './check-components';
import { inputNote, type Problem } from './checking';

type Path = Problem['path'];

const MAXIMA: readonly unknown[] = ['none', ...SEVERITIES];
/** The longest grace period (days). */
const GRACE_MAX = 3_650;
/** The most characters of the name of a vulnerability. */
const NAME_MAX = 256;

/** Finds the faults of a rule about vulnerabilities. */
export function checkVulnerabilities(rule: unknown, path: Path, { checking, some, checkException }: Shared): void {
  const members = rule === null ? null : checking.membersOf(rule, path, ['max_severity', 'grace_days', 'exceptions']);
  if (members === null) return;
  const [max, grace] = [members.get('max_severity'), members.get('grace_days')];
  if (max === undefined) checking.addProblem([...path, 'max_severity'], 'Field required');
  else if (!MAXIMA.includes(max)) {
    checking.addProblem([...path, 'max_severity'], `Input should be one of ${MAXIMA.join(', ')} ${inputNote(max)}`);
  }
  if (grace !== undefined && !(Number.isInteger(grace) && Number(grace) >= 0 && Number(grace) <= GRACE_MAX)) {
    const problem = `Input should be a whole number of days from 0 to ${GRACE_MAX} ${inputNote(grace)}`;
    checking.addProblem([...path, 'grace_days'], problem);
  }
  for (const [exception, place] of some(members.get('exceptions'), [...path, 'exceptions'])) {
    const name = checkException(exception, place, ['vulnerability'])?.get('vulnerability');
    if (name === undefined) continue;
    if (typeof name !== 'string' || name === '' || name.length > NAME_MAX) {
      const problem = `Input should be the name of a vulnerability with at most ${NAME_MAX} characters ${inputNote(name)}`;
      checking.addProblem([...place, 'vulnerability'], problem);
    }
  }
}
