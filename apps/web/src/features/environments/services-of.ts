import { baseOf } from '../../parts/change';

/** Versions of one service. */
export interface Pair<One> {
  readonly service: string;
  readonly first: readonly One[];
  readonly second: readonly One[];
}

interface NamedArtifact {
  readonly name: string;
}

/** Pairs artifacts that run in only one of two places with artifacts that run only in the other, by their names without versions. */
export function servicesOf<One extends NamedArtifact>(first: readonly One[], second: readonly One[]) {
  const groups = [first, second].map((all) => Map.groupBy(all, ({ name }) => baseOf(name)));
  const [a = new Map<string, One[]>(), b = new Map<string, One[]>()] = groups;
  const pairs: Pair<One>[] = [...a.keys()]
    .filter((service) => b.has(service))
    .sort()
    .map((service) => ({ service, first: a.get(service) ?? [], second: b.get(service) ?? [] }));
  return {
    pairs,
    others: {
      first: first.filter(({ name }) => !b.has(baseOf(name))),
      second: second.filter(({ name }) => !a.has(baseOf(name))),
    },
  };
}
