import { canonicalJson } from './canonical-json';

/**
 * Returns the requested fields that differ from the current ones; null if none does. An undefined field of `requestedSettings` is
 * not requested. An undefined field of `now` differs from every value.
 */
export function changedOf<Settings extends object>(
  now: Settings,
  requestedSettings: { readonly [Field in keyof Settings]?: Settings[Field] | undefined },
): Partial<Settings> | null {
  const changedSettings: Partial<Settings> = {};
  for (const field of Object.keys(requestedSettings) as (keyof Settings)[]) {
    const value = requestedSettings[field];
    if (value === undefined) continue;
    const before: Settings[typeof field] | undefined = now[field];
    if (before === undefined || canonicalJson(value) !== canonicalJson(before)) changedSettings[field] = value;
  }
  return Object.keys(changedSettings).length === 0 ? null : changedSettings;
}
