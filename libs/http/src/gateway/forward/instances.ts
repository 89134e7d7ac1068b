import { hash } from 'node:crypto';

/** How long an instance comes last after it could not be reached or said that it is about to stop (milliseconds). */
const PASSED_OVER_MS = 1_000;

/** One process that can be asked. */
export interface Instance {
  /** Where connections go. */
  readonly origin: string;
  /** The name of the service if `origin` contains an address: for the header `host`, and the name that its certificate must have. */
  readonly host?: string;
  /** Its addresses with their port, as identities name them; none while its name cannot be resolved. */
  readonly reachedAt: readonly string[];
}

/** Decides in which order the instances of one role are asked. */
export class Instances {
  private rotation = 0;
  private readonly passedOver = new Map<string, number>();

  constructor(
    private readonly instances: () => readonly Instance[],
    /** A steady clock, in milliseconds. */
    private readonly steady: () => number,
  ) {}

  /**
   * All instances in the order in which to try them. Instances that failed lately come last.
   *
   * @param key every gateway that knows the same instances sends requests with the same key to the same instance. When an
   *   instance comes or goes, only its own keys move (rendezvous hashing). Null: instances take turns.
   */
  order(key: string | null): Instance[] {
    const all = key === null ? this.rotate() : rankInstances(this.instances(), key);
    const now = this.steady();
    const away = ({ origin }: Instance) => now - (this.passedOver.get(origin) ?? -Infinity) < PASSED_OVER_MS;
    return [...all.filter((instance) => !away(instance)), ...all.filter(away)];
  }

  skip({ origin }: Pick<Instance, 'origin'>): void {
    const now = this.steady();
    // Addresses of instances that are gone for good are not remembered.
    for (const [other, at] of this.passedOver) if (now - at >= PASSED_OVER_MS) this.passedOver.delete(other);
    this.passedOver.set(origin, now);
  }

  private rotate(): readonly Instance[] {
    const all = this.instances();
    const first = this.rotation % all.length;
    this.rotation = first + 1;
    return [...all.slice(first), ...all.slice(0, first)];
  }
}

/** Each instance has its own random order of all keys. The instance with the lowest rank for this key comes first. */
function rankInstances(instances: readonly Instance[], key: string): readonly Instance[] {
  if (instances.length === 1) return instances;
  return instances
    .map((instance) => ({ instance, rank: hash('sha256', `${instance.origin} ${key}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ instance }) => instance);
}
