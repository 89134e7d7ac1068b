import { type Placed, templateOf } from './line';

/**
 * The one rule of what is replaced in a snapshot: each artifact that left gives its place to at most one of its line that started in the same
 * snapshot, and each of these takes at most one place. The same base name goes before the same template name, and newest before older ones.
 *
 * @param departed newest start first
 * @param arrived newest start first
 * @returns what took the place of each that left, if something did
 */
export function replacementsIn<Departed extends Placed, Arrived extends Placed>(
  departed: readonly Departed[],
  arrived: readonly Arrived[],
): ReadonlyMap<Departed, Arrived> {
  if (departed.length === 0) return new Map();
  const free = new FreeArrivals(arrived);
  const found = new Map<Departed, Arrived>();
  for (const take of [free.byName, free.byTemplate]) {
    for (const left of departed) {
      const next = found.has(left) ? undefined : take.call(free, left);
      if (next !== undefined) found.set(left, next);
    }
  }
  return found;
}

/** Arrivals that replaced nothing yet, found by key: thousands may leave and arrive at once. */
class FreeArrivals<Arrived extends Placed> {
  private readonly queues = new Map<string, { readonly items: [place: number, arrived: Arrived][]; next: number }>();
  private readonly taken = new Set<Arrived>();

  constructor(arrived: readonly Arrived[]) {
    for (const [place, one] of arrived.entries()) {
      const [repo, template] = [one.origin?.repo ?? null, templateOf(one)];
      this.put(`name\n${one.base}`, place, one);
      this.put(repo === null ? `unknown\n${one.base}` : `repo\n${repo}\n${one.base}`, place, one);
      if (template !== null) this.put(`template\n${template}`, place, one);
    }
  }

  /** The newest of the same line with the same base name. */
  byName({ base, origin }: Placed): Arrived | undefined {
    if (base === '') return undefined;
    const repo = origin?.repo ?? null;
    if (repo === null) return this.take(`name\n${base}`);
    return this.take(`repo\n${repo}\n${base}`, `unknown\n${base}`);
  }

  /** The newest with the same template name. */
  byTemplate(left: Placed): Arrived | undefined {
    const template = templateOf(left);
    return template === null ? undefined : this.take(`template\n${template}`);
  }

  private put(key: string, place: number, arrived: Arrived): void {
    const queue = this.queues.get(key) ?? { items: [], next: 0 };
    this.queues.set(key, queue);
    queue.items.push([place, arrived]);
  }

  private take(...keys: readonly string[]): Arrived | undefined {
    const heads = keys.flatMap((key) => this.headOf(key) ?? []);
    if (heads.length === 0) return undefined;
    const [, first] = heads.reduce((least, head) => (head[0] < least[0] ? head : least));
    this.taken.add(first);
    return first;
  }

  private headOf(key: string): [[place: number, arrived: Arrived]] | undefined {
    const queue = this.queues.get(key);
    if (queue === undefined) return undefined;
    for (; queue.next < queue.items.length; queue.next += 1) {
      const head = queue.items[queue.next];
      if (head !== undefined && !this.taken.has(head[1])) return [head];
    }
    return undefined;
  }
}
