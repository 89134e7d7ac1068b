import { canonicalJson } from '@assurance/kernel';

/** Those of the wanted fields whose value is another than now; undefined means not given. Null when none is. */
export function changedOf<Settings extends object>(
  now: Settings,
  wanted: { readonly [Field in keyof Settings]?: Settings[Field] | undefined },
): Partial<Settings> | null {
  const changed: Partial<Settings> = {};
  for (const field of Object.keys(wanted) as (keyof Settings)[]) {
    const value = wanted[field];
    if (value !== undefined && canonicalJson(value) !== canonicalJson(now[field])) changed[field] = value;
  }
  return Object.keys(changed).length === 0 ? null : changed;
}
