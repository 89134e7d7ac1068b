import type { ReactNode } from 'react';
import css from './Facts.module.css';

type FactRow = readonly (readonly [term: string, value: ReactNode])[];

const hasValue = ([, value]: FactRow[number]) => value != null && value !== '' && value !== false;

/** A list of terms and values. Terms without a value are omitted. */
export const Facts = ({ facts }: { readonly facts: FactRow }) => (
  <dl className={css.facts}>
    {facts.filter(hasValue).map(([term, value]) => (
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
              :&nbsp;<bdi>{value}</bdi>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Figures with their names. Figures without a value are left out. */
export const Figures = ({ figures }: { readonly figures: FactRow }) => (
  <div className={css.figures} data-figures="">
    {figures.filter(hasValue).map(([label, value]) => (
      <div key={label} className={css.figure}>
        <span className={css.value}>{value}</span>
        <span className={css.of}>{label}</span>
      </div>
    ))}
  </div>
);
