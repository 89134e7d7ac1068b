import type { Schemas } from '../../api/client';

/** How many sources are shown by name. */
const NAMES_SHOWN = 3;

interface Props {
  readonly sources: readonly Schemas['VulnerabilitySource'][];
}

/** The sources that name a vulnerability: entries of databases by their ids, and scanners. */
export function Sources({ sources }: Props) {
  const words = sources.map(({ kind, name }) => (kind === 'database' ? `entry ${name}` : `found by ${name}`));
  const all = [...new Set(words)];
  return (
    <span className="pile">
      {all.slice(0, NAMES_SHOWN).map((source) => (
        <bdi key={source} className="small">
          {source}
        </bdi>
      ))}
      {all.length > NAMES_SHOWN && <span className="quiet small">and {all.length - NAMES_SHOWN} more</span>}
    </span>
  );
}
