/** Where an artifact comes from: the first report of its fingerprint. */
export interface Origin {
  readonly flow: string;
  /** Its name in the flow's template; null for the legacy form. */
  readonly template: string | null;
  readonly repo: string | null;
}

/** An artifact under a name, and its origin; null if the origin is unknown. */
export interface LineArtifact {
  /** As `baseName` gives it. */
  readonly base: string;
  readonly origin: Origin | null;
}

/**
 * A name without tag, digest and the prefix of the default registry: `docker.io/library/nginx:1.25@sha256:...` becomes `nginx`, and
 * `registry:5000/shop/web:1.2` becomes `registry:5000/shop/web`. A name that is only a digest stays as it is.
 */
export function baseName(name: string): string {
  if (/^[A-Za-z0-9]+:[0-9A-Fa-f]{32,}$/.test(name)) return name;
  const nameWithoutDigest = name.replace(/@[A-Za-z0-9]+:[A-Za-z0-9]+$/, '');
  const nameWithoutTag = nameWithoutDigest.replace(/:\w[\w.-]{0,127}$/, '');
  return nameWithoutTag.replace(/^(?:index\.|registry-1\.)?docker\.io\/(?=.)/, '').replace(/^library\/(?=[^/]+$)/, '');
}

/**
 * Whether two artifacts belong to the same line. They do if they come from the same repository and have the same base name, or the same
 * template name in the same flow. If a repository is unknown, only the base names are compared. The relation is not transitive.
 */
export function isSameLine(a: LineArtifact, b: LineArtifact): boolean {
  const sameName = a.base !== '' && a.base === b.base;
  const [repo, other] = [a.origin?.repo ?? null, b.origin?.repo ?? null];
  if (repo === null || other === null) return sameName;
  return repo === other && (sameName || (templateOf(a) !== null && templateOf(a) === templateOf(b)));
}

/** Repository, flow and template name of an artifact as one text, null where one of them is unknown. */
export function templateOf({ origin }: Pick<LineArtifact, 'origin'>): string | null {
  if (origin === null || origin.repo === null || origin.template === null) return null;
  return `${origin.repo}\n${origin.flow}\n${origin.template}`;
}
