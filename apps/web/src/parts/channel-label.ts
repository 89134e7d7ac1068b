import type { Schemas } from '../api/client';
import { wordsOf } from '../ui/format';

export type Target = Schemas['EnvironmentNotification']['targets'][number] | Schemas['TargetConfig']['targets'][number];

/** The types whose words do not say what they are. */
const LABELS: Partial<Record<Target['type'], string>> = {
  EMAIL: 'Mail',
  NESTED_CONFIG: 'Configuration',
  TEAMS: 'Microsoft Teams',
};

/** The channel of a target for readers: `Discord` for `DISCORD`. */
export const channelLabel = (type: Target['type']): string => LABELS[type] ?? wordsOf(type);
