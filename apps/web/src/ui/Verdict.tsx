import { Icon, type IconName } from './Icon';
import css from './Verdict.module.css';

type Tone = 'good' | 'bad' | 'warn' | 'none';

const VERDICTS = {
  COMPLIANT: ['good', 'check', 'Compliant'],
  'NON-COMPLIANT': ['bad', 'cross', 'Non-compliant'],
  INCOMPLETE: ['warn', 'clock', 'Incomplete'],
  MISSING: ['warn', 'clock', 'Missing'],
  COMPLETE: ['none', 'check', 'Complete'],
} as const satisfies Record<string, readonly [Tone, IconName, string]>;

type VerdictValue = keyof typeof VERDICTS | boolean | null | undefined;

const keyOf = (value: boolean) => (value ? 'COMPLIANT' : 'NON-COMPLIANT');

interface Props {
  readonly value: VerdictValue;
  /** Replaces the usual word. */
  readonly children?: string;
}

/** Shows whether something complies with a sign, a colour and a word. Without a verdict, it says so. */
export function Verdict({ value, children }: Props) {
  const [tone, icon, word] =
    value == null
      ? (['none', 'dash', 'Not judged'] as const)
      : VERDICTS[typeof value === 'boolean' ? keyOf(value) : value];
  return (
    <Badge tone={tone} icon={icon}>
      {children ?? word}
    </Badge>
  );
}

interface BadgeProps {
  readonly tone: Tone;
  readonly icon?: IconName;
  readonly children: string;
}

/** A word on a small coloured background. */
export const Badge = ({ tone, icon, children }: BadgeProps) => (
  <span className={css.badge} data-tone={tone}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
);
