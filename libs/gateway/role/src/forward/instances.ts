/** How long an instance that could not be reached, or that is about to end, is asked last (milliseconds). */
const PASSED_OVER_MS = 1_000;

/** The instances of one role, in turn. */
export class Instances {
  private turn = 0;
  private readonly passedOver = new Map<string, number>();

  constructor(
    private readonly origins: readonly string[],
    /** Milliseconds that pass evenly. */
    private readonly steady: () => number,
  ) {}

  /** Every instance once: whose turn it is first, those that were passed over a moment ago last. */
  order(): string[] {
    const first = this.turn;
    this.turn = (first + 1) % this.origins.length;
    const round = [...this.origins.slice(first), ...this.origins.slice(0, first)];
    const now = this.steady();
    const away = (origin: string) => now - (this.passedOver.get(origin) ?? -Infinity) < PASSED_OVER_MS;
    return [...round.filter((origin) => !away(origin)), ...round.filter(away)];
  }

  passOver(origin: string): void {
    this.passedOver.set(origin, this.steady());
  }
}
