import css from './Difference.module.css';
import { fieldsWithNames, type Names } from './with-names';

type Fields = Readonly<Record<string, unknown>>;

interface Props {
  readonly before: Fields;
  readonly after: Fields;
  /** Names for the ids in the values. */
  readonly names: Names;
}

/** The change of each field. */
export function Difference({ names: namesOfIds, ...values }: Props) {
  const [before, after] = [fieldsWithNames(values.before, namesOfIds), fieldsWithNames(values.after, namesOfIds)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changedNames = names.filter((name) => textOf(before[name]) !== textOf(after[name]));
  if (changedNames.length === 0) return <span className="quiet">none</span>;
  return (
    <dl className={css.fields}>
      {changedNames.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {name in before && (
              <del>
                <bdi>{textOf(before[name])}</bdi>
              </del>
            )}
            {name in before && name in after && ' → '}
            {name in after && (
              <ins>
                <bdi>{textOf(after[name])}</bdi>
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A value as text. A text stays unchanged, unless it would be invisible. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim() === '' ? `"${value}"` : value;
  // The text has spaces, at which its lines can break.
  return (JSON.stringify(value, null, 1) ?? '').replaceAll(/\n\s*/g, ' ');
}
