import { baseOf } from '../../parts/change';

/** Versions of one service. */
export interface Pair<One> {
  readonly service: string;
  readonly first: readonly One[];
  readonly second: readonly One[];
}

interface Named {
  readonly name: string;
}

/** Pairs what runs in only one of two places with what runs in only the other, by their names without versions. */
export function servicesOf<One extends Named>(first: readonly One[], second: readonly One[]) {
  const groups = [first, second].map((all) => Map.groupBy(all, ({ name }) => baseOf(name)));
  const [one = new Map<string, One[]>(), other = new Map<string, One[]>()] = groups;
  const pairs: Pair<One>[] = [...one.keys()]
    .filter((service) => other.has(service))
    .sort()
    .map((service) => ({ service, first: one.get(service) ?? [], second: other.get(service) ?? [] }));
  return {
    pairs,
    others: {
      first: first.filter(({ name }) => !other.has(baseOf(name))),
      second: second.filter(({ name }) => !one.has(baseOf(name))),
    },
  };
}
