import { canonicalJson } from '@assurance/kernel';

/** Those of the wanted fields whose value is another than now; undefined means not given, and now not known yet. Null when none is. */
export function changedOf<Settings extends object>(
  now: Settings,
  wanted: { readonly [Field in keyof Settings]?: Settings[Field] | undefined },
): Partial<Settings> | null {
  const changed: Partial<Settings> = {};
  for (const field of Object.keys(wanted) as (keyof Settings)[]) {
    const value = wanted[field];
    if (value === undefined) continue;
    const before: Settings[typeof field] | undefined = now[field];
    if (before === undefined || canonicalJson(value) !== canonicalJson(before)) changed[field] = value;
  }
  return Object.keys(changed).length === 0 ? null : changed;
}
