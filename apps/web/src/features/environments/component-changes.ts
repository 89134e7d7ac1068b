interface ListedComponent {
  readonly purl: string | null;
  readonly name: string;
}

/** A component with different versions on the two sides. */
export interface Change<T> {
  readonly name: string;
  readonly first: readonly T[];
  readonly second: readonly T[];
}

/** The part that all versions of a component share: its package URL up to the version, otherwise its name. */
const packageOf = ({ purl, name }: ListedComponent) => purl?.replace(/[@?#].*$/s, '') ?? name;

/** Splits the components that only one side has into changed versions, and components that the other side has in no version. */
export function changesOf<T extends ListedComponent>(first: readonly T[], second: readonly T[]) {
  const [left, right] = [Map.groupBy(first, packageOf), Map.groupBy(second, packageOf)];
  const changes = [...left].flatMap(([key, leftVersions]): Change<T>[] => {
    const rightVersions = right.get(key);
    return rightVersions === undefined
      ? []
      : [{ name: leftVersions[0]?.name ?? key, first: leftVersions, second: rightVersions }];
  });
  const componentsWithout = (components: readonly T[], otherSide: ReadonlyMap<string, unknown>) =>
    components.filter((component) => !otherSide.has(packageOf(component)));
  return { changes, first: componentsWithout(first, right), second: componentsWithout(second, left) };
}
