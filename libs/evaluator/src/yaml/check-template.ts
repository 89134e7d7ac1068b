import { ValueChecker, type Problem, inputNote } from './checking';

/** Finds the faults of a flow template of version 1: unknown keys, and empty or repeated names. */
export function checkTemplate(template: unknown): readonly Problem[] {
  const checking = new ValueChecker();

  const each = (value: unknown, path: Problem['path'], check: (item: unknown, path: Problem['path']) => unknown) => {
    const names = new Set<unknown>();
    for (const [item, place] of checking.itemsOf(value, path)) {
      const name = check(item, place);
      if (name !== null && names.has(name))
        checking.addProblem([...place, 'name'], `The name is given twice ${inputNote(name)}`);
      names.add(name);
    }
  };
  const attestation = (value: unknown, path: Problem['path']) => {
    const members = checking.membersOf(value, path, ['name', 'type']);
    if (members === null) return null;
    checking.typeOf(members.get('type'), [...path, 'type']);
    return checking.textOf(members.get('name'), [...path, 'name']);
  };
  const artifact = (value: unknown, path: Problem['path']) => {
    const members = checking.membersOf(value, path, ['name', 'attestations']);
    if (members === null) return null;
    each(members.get('attestations'), [...path, 'attestations'], attestation);
    return checking.textOf(members.get('name'), [...path, 'name']);
  };

  const root = checking.membersOf(template, [], ['version', 'trail']);
  const version = root?.get('version');
  if (version !== undefined && version !== 1)
    checking.addProblem(['version'], `Input should be 1 ${inputNote(version)}`);
  const trail = root?.get('trail') ?? null;
  const parts = trail === null ? null : checking.membersOf(trail, ['trail'], ['attestations', 'artifacts']);
  each(parts?.get('attestations'), ['trail', 'attestations'], attestation);
  each(parts?.get('artifacts'), ['trail', 'artifacts'], artifact);
  return checking.problems;
}
