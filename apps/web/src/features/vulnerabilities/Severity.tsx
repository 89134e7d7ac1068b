import { Badge } from '../../ui';

/** The severities by their names in the API, worst last. */
export const SEVERITIES = [
  ['none', 'None'],
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
  ['critical', 'Critical'],
] as const;
type SeverityValue = (typeof SEVERITIES)[number][0];

/** The severity in an address; undefined if there is none. */
export const severityOf = (text: string | null): SeverityValue | undefined =>
  SEVERITIES.find(([value]) => value === text)?.[0];

const TONES = { none: 'none', low: 'none', medium: 'warn', high: 'bad', critical: 'bad' } as const;

/** A severity as a word with a colour. */
export const Severity = ({ value }: { readonly value: SeverityValue | null }) => {
  const severity = SEVERITIES.find(([name]) => name === value);
  return severity === undefined ? (
    <Badge tone="warn">Unknown</Badge>
  ) : (
    <Badge tone={TONES[severity[0]]}>{severity[1]}</Badge>
  );
};
