interface Listed {
  readonly purl: string | null;
  readonly name: string;
}

/** A component with different versions on the two sides. */
export interface Change<One> {
  readonly name: string;
  readonly first: readonly One[];
  readonly second: readonly One[];
}

/** The part that all versions of a component share: its package URL up to the version, otherwise its name. */
const packageOf = ({ purl, name }: Listed) => purl?.replace(/[@?#].*$/s, '') ?? name;

/** Splits the components that only one side has into changed versions, and components that the other side has in no version. */
export function changesOf<One extends Listed>(first: readonly One[], second: readonly One[]) {
  const [left, right] = [Map.groupBy(first, packageOf), Map.groupBy(second, packageOf)];
  const changes = [...left].flatMap(([key, ones]): Change<One>[] => {
    const others = right.get(key);
    return others === undefined ? [] : [{ name: ones[0]?.name ?? key, first: ones, second: others }];
  });
  const without = (all: readonly One[], there: ReadonlyMap<string, unknown>) =>
    all.filter((one) => !there.has(packageOf(one)));
  return { changes, first: without(first, right), second: without(second, left) };
}
