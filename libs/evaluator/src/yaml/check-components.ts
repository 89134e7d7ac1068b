import { readPattern } from '@assurance/components/domain/pattern';
import type { ComponentPattern } from '@assurance/contracts/policies/events';
import { type ValueChecker, type Problem, inputNote } from './checking';

type Path = Problem['path'];

/** Parts of the check of policies that rules share. */
export interface Shared {
  readonly checking: ValueChecker;
  /** The items of a list that is not too long. */
  readonly some: (list: unknown, path: Path) => readonly (readonly [unknown, Path])[];
  readonly checkException: (
    exception: unknown,
    path: Path,
    keys: readonly string[],
  ) => ReadonlyMap<string, unknown> | null;
}

const PATTERN = ['purl', 'range'];

/** Finds the faults of a rule about components. */
export function checkComponents(rule: unknown, path: Path, { checking, some, checkException }: Shared): void {
  const members = rule === null ? null : checking.membersOf(rule, path, ['deny', 'exceptions']);
  for (const [denied, place] of some(members?.get('deny'), [...path, 'deny'])) {
    if (typeof denied === 'string') {
      checkPattern(checking, denied, undefined, () => place);
      continue;
    }
    const parts = checking.membersOf(denied, place, PATTERN);
    if (parts !== null) checkPattern(checking, parts.get('purl'), parts.get('range'), (field) => [...place, field]);
  }
  for (const [exception, place] of some(members?.get('exceptions'), [...path, 'exceptions'])) {
    const parts = checkException(exception, place, PATTERN);
    if (parts === null || !PATTERN.some((key) => parts.has(key))) continue;
    checkPattern(checking, parts.get('purl'), parts.get('range'), (field) => [...place, field]);
  }
}

/** @param placeOf where a field of the pattern stands */
function checkPattern(
  checking: ValueChecker,
  purl: unknown,
  range: unknown,
  placeOf: (field: keyof ComponentPattern) => Path,
): void {
  const text = checking.textOf(purl, placeOf('purl'));
  if (text === null) return;
  if (range !== undefined && typeof range !== 'string')
    return checking.addProblem(placeOf('range'), `Input should be a range such as >=2,<2.17 ${inputNote(range)}`);
  const read = readPattern({ purl: text, range: range ?? null });
  if (!('problem' in read)) return;
  checking.addProblem(placeOf(read.field), `${read.problem} ${inputNote(read.field === 'purl' ? text : range)}`);
}
