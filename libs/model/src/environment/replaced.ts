/** Where an artifact comes from: the first report of its fingerprint. */
export interface Origin {
  readonly flow: string;
  /** Its name in the flow's template; null for the legacy form. */
  readonly template: string | null;
  readonly repo: string | null;
}

/** An artifact that came or went, as the rule sees it. */
export interface Placed {
  readonly name: string;
  readonly origin: Origin | null;
}

/** Removes tag and digest of a name: `registry:5000/shop/web:1.2@sha256:...` becomes `registry:5000/shop/web`. */
export function baseName(name: string): string {
  const undigested = name.replace(/@[A-Za-z0-9]+:[A-Za-z0-9]+$/, '');
  const tag = undigested.indexOf(':', undigested.lastIndexOf('/') + 1);
  return tag === -1 ? undigested : undigested.slice(0, tag);
}

/**
 * The one rule of what an arriving artifact replaces: of those that left in the same snapshot, the one with
 * the same template name in the same flow, else of the same repository with the same name; the newest if several.
 *
 * @param departed newest first
 * @returns null when nothing fits
 */
export function replacedBy<T extends Placed>(arrived: Placed, departed: readonly T[]): T | null {
  const { origin } = arrived;
  if (origin === null) return null;
  const sameTemplate = departed.find(
    (left) =>
      left.origin !== null &&
      left.origin.flow === origin.flow &&
      origin.template !== null &&
      left.origin.template === origin.template,
  );
  if (sameTemplate !== undefined) return sameTemplate;
  const base = baseName(arrived.name);
  return (
    departed.find(
      (left) => origin.repo !== null && left.origin?.repo === origin.repo && baseName(left.name) === base,
    ) ?? null
  );
}
