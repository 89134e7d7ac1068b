import type { ReactNode } from 'react';
import { Duration, formatBytes, Time, wordsOf } from '../../ui';
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
  const changedNames = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changedNames.length === 0) return <span className="quiet">none</span>;
  return (
    <dl className={css.fields}>
      {changedNames.map((name) => (
        <div key={name}>
          <dt>
            <bdi>{labelOf(name, names)}</bdi>
          </dt>
          <dd>
            {name in before && (
              <del>
                <bdi>{showValue(name, before[name])}</bdi>
              </del>
            )}
            {name in before && name in after && ' → '}
            {name in after && (
              <ins>
                <bdi>{showValue(name, after[name])}</bdi>
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The kinds of fields whose names contain the name of something, such as `tags.team`. */
const KINDS: Readonly<Record<string, string>> = { policies: 'Policy', allowed: 'Allowed artifact', tags: 'Tag' };

/** @param others all fields: one may name what an id of another field is of */
function labelOf(field: string, others: readonly string[]): string {
  const kind = field.slice(0, field.indexOf('.'));
  if (!Object.hasOwn(KINDS, kind)) {
    const thing = field.replace(/_id$/, '');
    return wordsOf(others.includes(thing) ? field : thing);
  }
  const name = field.slice(kind.length + 1);
  return `${KINDS[kind]} ${kind === 'allowed' ? name.slice(0, 12) : name}`;
}

function showValue(field: string, value: unknown): ReactNode {
  // The value is the name, which the label has.
  if (field.startsWith('policies.')) return value === null ? 'not attached' : 'attached';
  return wordsOfValue(field, value);
}

/** A value in words. A text stays unchanged, unless it would be invisible. */
function wordsOfValue(field: string, value: unknown): ReactNode {
  if (value == null) return 'none';
  if (typeof value === 'string') return value.trim() === '' ? `"${value}"` : value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && field.endsWith('expires_at')) return value === 0 ? 'never' : <Time at={value} />;
  if (field === 'report_every') return value === 0 ? 'learned' : <Duration seconds={Number(value)} />;
  if (field === 'size') return formatBytes(Number(value));
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return 'none';
  return entries.map(([key, one], i) => (
    <span key={key}>
      {i > 0 && ', '}
      {!Array.isArray(value) && `${wordsOf(key).toLowerCase()}: `}
      {wordsOfValue(key, one)}
    </span>
  ));
}
