import type { ArtifactKey } from '@assurance/contracts-events';
import { byKey, keyText } from '@assurance/model-environment';

/** An artifact as a report says it: one creation time an instance, in epoch seconds, ascending; 0 where unknown. */
export interface Reported extends ArtifactKey {
  readonly instances: readonly number[];
}

/** One item of a report: what one container, pod or task runs. */
export interface ReportItem {
  /** Name to digest; the same (name, digest) in several items is several instances. */
  readonly digests: Readonly<Record<string, string>>;
  readonly creationTimestamp: number;
}

/** Turns a report's items into artifacts with their instances, in the order of `byKey`. */
export function collect(items: readonly ReportItem[]): Reported[] {
  const artifacts = new Map<string, ArtifactKey & { instances: number[] }>();
  for (const { digests, creationTimestamp } of items) {
    for (const [name, fingerprint] of Object.entries(digests)) {
      const text = keyText({ fingerprint, name });
      const known = artifacts.get(text);
      if (known === undefined) artifacts.set(text, { fingerprint, name, instances: [creationTimestamp] });
      else known.instances.push(creationTimestamp);
    }
  }
  for (const { instances } of artifacts.values()) instances.sort((a, b) => a - b);
  return [...artifacts.values()].sort(byKey);
}
