import type { Aggregate } from '@assurance/contracts/events/aggregate';
import type { FoundVulnerability, VulnerabilitiesFound } from '@assurance/contracts/vulnerabilities/events';
import { accepted, type Decision, noChange, sha256 } from '@assurance/kernel';

/** The most vulnerabilities of one event. If there are more, several events record them. */
const FOUND_TOGETHER = 100;
/** The most names that are remembered for an environment. Beyond that, the oldest are forgotten. */
const NAMES_MAX = 200_000;
/** The most additional names of earlier vulnerabilities in one event. */
const MORE_NAMES = 1_000;

/** The vulnerabilities that were found in the running artifacts of an environment. */
export interface Exposure {
  /** `nameOf` of each of their names. */
  readonly names: readonly string[];
}

export const exposure: Aggregate<Exposure, VulnerabilitiesFound, 'exposure'> = {
  kind: 'exposure',
  states: { name: 'exposures', indexes: [] },
  schemaVersion: 1,
  evolve(state, { data }) {
    return { names: [...(state?.names ?? []), ...data.names].slice(-NAMES_MAX) };
  },
};

/** The current state of the environment in which vulnerabilities are found. */
interface ExposedEnvironment {
  readonly name: string;
  readonly snapshot: number;
  readonly compliant: boolean | null;
}

/** A vulnerability with all its names. */
export interface NamedFinding extends FoundVulnerability {
  readonly aliases: readonly string[];
}

/**
 * Records vulnerabilities of running artifacts that were never found in the environment before, under any of their names. If there are too many for
 * one event, the next decision records more.
 */
export function decideFindVulnerabilities(
  state: Exposure | null,
  environment: ExposedEnvironment,
  findings: readonly NamedFinding[],
): Decision<VulnerabilitiesFound, never> {
  const rememberedNames = new Set(state?.names ?? []);
  const newFindings: FoundVulnerability[] = [];
  const names = new Set<string>();
  for (const { aliases, ...finding } of findings) {
    const ownNames = [finding.id, ...aliases].map(nameOf);
    const newNames = ownNames.filter((name) => !rememberedNames.has(name));
    if (newNames.length === ownNames.length) {
      if (newFindings.length === FOUND_TOGETHER) continue;
      // Another vulnerability of this event may already have the name.
      if (!ownNames.some((name) => names.has(name))) newFindings.push(finding);
    } else if (names.size >= MORE_NAMES) continue;
    for (const name of newNames) names.add(name);
  }
  if (names.size === 0) return noChange;
  const { name, snapshot, compliant } = environment;
  return accepted({
    type: 'VulnerabilitiesFound',
    version: 1,
    data: { environment: name, snapshot, compliant, vulnerabilities: newFindings, names: [...names] },
  });
}

/** Hashes a name, whatever its letter case. The aggregate remembers the hash. */
export function nameOf(name: string): string {
  return sha256(name.toLowerCase()).slice(0, 16);
}
