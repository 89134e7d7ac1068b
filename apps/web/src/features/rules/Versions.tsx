import { diffLines } from 'diff';
import { useState } from 'react';
import { CodeLines, Panel, Time } from '../../ui';
import { FieldRow, Select } from '../../ui/Fields';
import css from './Versions.module.css';

export interface Version {
  readonly version: number;
  readonly text: string;
  readonly by: string;
  readonly at: number;
  readonly comment?: string;
}

/** The current source of a policy or a type, and a comparison of any two versions. */
export function Versions({ title, versions }: { readonly title: string; readonly versions: readonly Version[] }) {
  const sorted = [...versions].sort((a, b) => b.version - a.version);
  const [latest] = sorted;
  const [shownVersion, setShownVersion] = useState(String(latest?.version ?? ''));
  const [against, setAgainst] = useState('');
  const version = sorted.find(({ version }) => String(version) === shownVersion);
  const otherVersion = sorted.find(({ version }) => String(version) === against);
  const options = sorted.map(({ version }) => [String(version), `Version ${version}`] as const);
  if (version === undefined) return null;
  return (
    <Panel title={title}>
      <div className="stack">
        <FieldRow>
          <Select label="Version" value={shownVersion} onChange={setShownVersion} options={options} />
          {sorted.length > 1 && (
            <Select
              label="Compared with"
              value={against}
              onChange={setAgainst}
              options={[['', 'No other'], ...options]}
            />
          )}
        </FieldRow>
        <p className={css.about}>
          By <bdi>{version.by}</bdi>, <Time at={version.at} />
          {version.comment !== undefined && version.comment !== '' && (
            <>
              : <bdi>{version.comment}</bdi>
            </>
          )}
        </p>
        {otherVersion === undefined || otherVersion === version ? (
          <CodeLines text={version.text} label={`${title}, version ${version.version}`} />
        ) : (
          <Difference
            from={otherVersion.text}
            to={version.text}
            label={`Version ${otherVersion.version} to ${version.version}`}
          />
        )}
      </div>
    </Panel>
  );
}

/** Removed and added lines. A sign marks each line, so that colour is not needed. */
function Difference({ from, to, label }: { readonly from: string; readonly to: string; readonly label: string }) {
  return (
    <pre className={css.diff} tabIndex={0} role="group" aria-label={label} dir="ltr">
      {diffLines(from, to).map(({ value, added, removed }, i) => (
        <span key={i} data-change={added ? 'added' : removed ? 'removed' : undefined}>
          {value.replace(/^(?=.)/gm, added ? '+ ' : removed ? '− ' : '  ')}
        </span>
      ))}
    </pre>
  );
}
