import type { ReactNode } from 'react';
import css from './Facts.module.css';

/** A list of terms and values. Terms without a value are omitted. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [term: string, value: ReactNode])[] }) => (
  <dl className={css.facts}>
    {facts
      .filter(([, value]) => value != null && value !== '' && value !== false)
      .map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** Tags of an environment, a flow or a repository. */
export function Tags({ tags }: { readonly tags: Readonly<Record<string, string>> }) {
  const entries = Object.entries(tags);
  if (entries.length === 0) return <span className="quiet">none</span>;
  return (
    <ul className={css.tags}>
      {entries.map(([key, value]) => (
        <li key={key}>
          <bdi>{key}</bdi>
          {value !== '' && (
            <>
              : <bdi>{value}</bdi>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** One figure with what it is of. */
export const Figure = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className={css.figure}>
    <span className={css.value}>{children}</span>
    <span className={css.of}>{label}</span>
  </div>
);

export const Figures = ({ children }: { readonly children: ReactNode }) => (
  <div className={css.figures}>{children}</div>
);
