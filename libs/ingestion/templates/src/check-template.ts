/** Something wrong in a template: where, by keys and positions from its root, and what. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

const TYPES = ['generic', 'junit', 'snyk', 'pull_request', 'jira', 'sonar', 'decision', '*'];
const SHOWN_MAX = 100;

/** What is wrong with a flow template of version 1, by the rules of WIRE 27: no other keys anywhere, no empty or repeated names. */
export function checkTemplate(template: unknown): Problem[] {
  const problems: Problem[] = [];
  const say = (path: Problem['path'], text: string) => void problems.push({ path, text });

  /** The members of an object; null after a complaint. */
  const membersOf = (value: unknown, path: Problem['path'], known: readonly string[]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      say(path, `Input should be an object ${shown(value)}`);
      return null;
    }
    for (const key of Object.keys(value)) if (!known.includes(key)) say([...path, key], 'Unknown key');
    return new Map(Object.entries(value));
  };
  const each = (value: unknown, path: Problem['path'], check: (item: unknown, path: Problem['path']) => unknown) => {
    if (value === undefined || value === null) return;
    if (!Array.isArray(value)) return say(path, `Input should be a list ${shown(value)}`);
    const names = new Set<unknown>();
    for (const [i, item] of value.entries()) {
      const name = check(item, [...path, i]);
      if (name !== null && names.has(name)) say([...path, i, 'name'], `The name is given twice ${shown(name)}`);
      names.add(name);
    }
  };
  /** The name of a thing; null after a complaint. */
  const nameOf = (value: unknown, path: Problem['path']) => {
    if (typeof value === 'string' && value !== '') return value;
    say(
      [...path, 'name'],
      value === undefined ? 'Field required' : `Input should be a text that is not empty ${shown(value)}`,
    );
    return null;
  };
  const attestation = (value: unknown, path: Problem['path']) => {
    const members = membersOf(value, path, ['name', 'type']);
    if (members === null) return null;
    const type = members.get('type');
    if (type === undefined) say([...path, 'type'], 'Field required');
    else if (!isType(type))
      say([...path, 'type'], `Input should be one of ${TYPES.join(', ')}, custom:<name> ${shown(type)}`);
    return nameOf(members.get('name'), path);
  };
  const artifact = (value: unknown, path: Problem['path']) => {
    const members = membersOf(value, path, ['name', 'attestations']);
    if (members === null) return null;
    each(members.get('attestations'), [...path, 'attestations'], attestation);
    return nameOf(members.get('name'), path);
  };

  const root = membersOf(template, [], ['version', 'trail']);
  const version = root?.get('version');
  if (version !== undefined && version !== 1) say(['version'], `Input should be 1 ${shown(version)}`);
  const trail = root?.get('trail') ?? null;
  const parts = trail === null ? null : membersOf(trail, ['trail'], ['attestations', 'artifacts']);
  each(parts?.get('attestations'), ['trail', 'attestations'], attestation);
  each(parts?.get('artifacts'), ['trail', 'artifacts'], artifact);
  return problems;
}

function isType(value: unknown): boolean {
  return typeof value === 'string' && (TYPES.includes(value) || /^custom:.+$/.test(value));
}

function shown(value: unknown): string {
  return `[input: ${(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, SHOWN_MAX)}]`;
}
