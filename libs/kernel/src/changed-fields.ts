import { canonicalJson } from './canonical-json';

/**
 * Returns the requested fields that differ from the current ones; null if none does. An undefined field of `requested` is
 * not requested. An undefined field of `now` differs from every value.
 */
export function changedOf<Settings extends object>(
  now: Settings,
  requested: { readonly [Field in keyof Settings]?: Settings[Field] | undefined },
): Partial<Settings> | null {
  const changed: Partial<Settings> = {};
  for (const field of Object.keys(requested) as (keyof Settings)[]) {
    const value = requested[field];
    if (value === undefined) continue;
    const before: Settings[typeof field] | undefined = now[field];
    if (before === undefined || canonicalJson(value) !== canonicalJson(before)) changed[field] = value;
  }
  return Object.keys(changed).length === 0 ? null : changed;
}
