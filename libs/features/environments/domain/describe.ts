import type { JudgementReason, SnapshotChange } from '@assurance/contracts/environments/events';

/** A change in words: `1 instance started running (from 0 to 1)`, `3 instances changed`. */
export function describeChange({
  change,
  was,
  now,
  compliant,
  because,
}: Pick<SnapshotChange, 'change' | 'was' | 'now' | 'compliant' | 'because'>): string {
  switch (change) {
    case 'started':
    case 'exited':
    case 'scaled':
      return describeCount(was, now);
    case 'changed':
    case 'updated-provenance':
      return because === undefined ? `${instances(now)} changed` : describeVerdict(compliant, because);
  }
}

const CAUSES: Readonly<Record<JudgementReason, string>> = {
  evidence: 'by new evidence',
  policy: 'by a change of policies',
  'allow-list': 'by the allow-list',
};

/** An unchanged artifact has another verdict. */
function describeVerdict(compliant: boolean | null, because: JudgementReason): string {
  const verdict = compliant === null ? 'judged by nothing' : compliant ? 'compliant' : 'not compliant';
  return `The artifact is ${verdict} now, ${CAUSES[because]}`;
}

/** How many more or fewer run: `2 instances stopped running (from 3 to 1)`. */
export function describeCount(was: number, now: number): string {
  return `${instances(Math.abs(now - was))} ${now > was ? 'started' : 'stopped'} running (from ${was} to ${now})`;
}

function instances(count: number): string {
  return count === 1 ? '1 instance' : `${count} instances`;
}
