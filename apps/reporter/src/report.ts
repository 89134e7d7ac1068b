/** Fields that every item of a report has. */
export interface ReportItem {
  /** SHA-256 digests by the names of artifacts; empty if a digest is not known. */
  readonly digests: Readonly<Record<string, string>>;
  /** Epoch seconds; 0: unknown. */
  readonly creationTimestamp: number;
}

/** The body of `PUT /environments/{org}/{env}/report/{kind}`. It always contains everything that runs. */
export interface Report<Item extends ReportItem = ReportItem> {
  readonly type?: string;
  readonly artifacts: readonly Item[];
}

export const KINDS = ['K8S', 'ECS', 'lambda', 'S3', 'docker', 'server', 'cloud-run', 'azure-apps'] as const;
export type Kind = (typeof KINDS)[number];

/** Reads the state of an environment. */
export interface Source {
  /** @throws with one sentence if a part of the list is missing */
  collect(): Promise<Report>;
  /** Calls `changed` when the state may have changed, until the signal aborts. */
  watch?(changed: () => void, signal: AbortSignal): Promise<void>;
}

/** Converts a time of a cloud to epoch seconds; 0 if there is none. */
export function secondsOf(time: string | Date | undefined): number {
  if (time === undefined) return 0;
  const milliseconds = typeof time === 'string' ? Date.parse(time) : time.getTime();
  if (Number.isNaN(milliseconds)) throw new Error(`${String(time)} is not a time`);
  return Math.floor(milliseconds / 1_000);
}

/** Sorts items by their text, so that equal states have equal bodies. */
export function sortByText<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const itemsWithKey = items.map((item) => ({ key: textOf(item), item }));
  return itemsWithKey.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
}

/**
 * Collects digests by names. The second digest of a name is named with the digest, since both run. An unknown digest counts only where no other
 * has its name.
 */
export function digestsByName(digests: readonly (readonly [name: string, digest: string])[]): Record<string, string> {
  const byName = new Map<string, string>();
  for (const [name, digest] of digests) {
    const first = byName.get(name) ?? '';
    if (first === '') byName.set(name, digest);
    else if (digest !== '' && digest !== first) byName.set(`${name}@sha256:${digest}`, digest);
  }
  return Object.fromEntries(byName);
}

/**
 * Which containers are reported. `running`: all that run, also sidecars and debug containers, and those whose digest is not known. `command-line`:
 * what the published command line reports, also containers that have ended.
 */
export const CONTAINERS = ['running', 'command-line'] as const;
export type Containers = (typeof CONTAINERS)[number];

export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
