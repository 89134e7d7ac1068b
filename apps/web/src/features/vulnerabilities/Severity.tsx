import { Badge } from '../../ui';

/** The worst last, as the API names them. */
export const SEVERITIES = [
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
  ['critical', 'Critical'],
] as const;
type SeverityValue = (typeof SEVERITIES)[number][0];

/** The severity of an address; undefined where it names none. */
export const severityOf = (text: string | null): SeverityValue | undefined =>
  SEVERITIES.find(([value]) => value === text)?.[0];

const TONES = { low: 'none', medium: 'warn', high: 'bad', critical: 'bad' } as const;

/** How severe a vulnerability is, by a word and a colour. */
export const Severity = ({ value }: { readonly value: SeverityValue | null }) => {
  const severity = SEVERITIES.find(([name]) => name === value);
  return severity === undefined ? (
    <Badge tone="warn">Unknown</Badge>
  ) : (
    <Badge tone={TONES[severity[0]]}>{severity[1]}</Badge>
  );
};
