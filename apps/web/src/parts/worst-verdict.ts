/** An environment that runs an artifact, and its verdict on it; null if nothing judges it there. */
export interface RunningPlace {
  readonly environment_name: string;
  readonly compliant: boolean | null;
}

interface WorstVerdict {
  readonly compliant: boolean | null;
  /** The environments with this verdict, by name. */
  readonly environments: readonly string[];
}

/** The worst verdict of the environments that run an artifact: a refusal, then none, then compliance. Null if it runs nowhere. */
export function worstVerdict(running: readonly RunningPlace[]): WorstVerdict | null {
  for (const verdict of [false, null, true]) {
    const places = running.filter(({ compliant }) => compliant === verdict);
    if (places.length > 0)
      return { compliant: verdict, environments: [...new Set(places.map((place) => place.environment_name))].sort() };
  }
  return null;
}
