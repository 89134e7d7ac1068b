import { parseExpression, unwrapped } from '@assurance/policies/domain/expression/parse';
import { checkComponents, type Shared } from './check-components';
import { checkVulnerabilities } from './check-vulnerabilities';
import { ValueChecker, type Problem, inputNote } from './checking';
import { timeOf } from './time';

type Path = Problem['path'];
/** The most rules and exceptions of one list: every rule is held against every artifact. */
const LIST_MAX = 200;

/** The rules of artifacts. */
const RULES = ['provenance', 'trail-compliance', 'attestations', 'sbom', 'components', 'vulnerabilities'];

/** Finds the faults of an environment policy of version 1. Unknown keys are faults at every level. */
export function checkPolicy(policy: unknown): readonly Problem[] {
  const checking = new ValueChecker();
  const root = checking.membersOf(policy, [], ['_schema', 'artifacts']);
  if (root === null) return checking.problems;
  checkSchema(checking, root.get('_schema'));
  const artifacts = root.get('artifacts') ?? null;
  const parts = artifacts === null ? null : checking.membersOf(artifacts, ['artifacts'], RULES);
  for (const name of ['provenance', 'trail-compliance']) {
    checkBooleanRule(checking, parts?.get(name) ?? null, ['artifacts', name]);
  }
  for (const [rule, path] of itemsWithPaths(checking, parts?.get('attestations'), ['artifacts', 'attestations'])) {
    checkAttestationRule(checking, rule, path);
  }
  checkSbom(checking, parts?.get('sbom') ?? null, ['artifacts', 'sbom']);
  const shared: Shared = {
    checking,
    some: (list, path) => itemsWithPaths(checking, list, path),
    checkException: (exception, path, keys) => checkTimedException(checking, exception, path, keys),
  };
  checkComponents(parts?.get('components') ?? null, ['artifacts', 'components'], shared);
  checkVulnerabilities(parts?.get('vulnerabilities') ?? null, ['artifacts', 'vulnerabilities'], shared);
  return checking.problems;
}

/** Only the version at the end of the URL counts. */
function checkSchema(checking: ValueChecker, schema: unknown): void {
  if (schema === undefined) checking.addProblem(['_schema'], 'Field required');
  else if (typeof schema !== 'string' || !URL.canParse(schema) || !new URL(schema).pathname.endsWith('/v1'))
    checking.addProblem(['_schema'], `Input should be a URL that ends in /v1 ${inputNote(schema)}`);
}

function checkBooleanRule(checking: ValueChecker, rule: unknown, path: Path): void {
  const members = rule === null ? null : checking.membersOf(rule, path, ['required', 'exceptions']);
  checkFlag(checking, members?.get('required'), [...path, 'required']);
  for (const [exception, place] of itemsWithPaths(checking, members?.get('exceptions'), [...path, 'exceptions'])) {
    const parts = checking.membersOf(exception, place, ['if']);
    if (parts !== null) checkExpression(checking, parts.get('if'), [...place, 'if']);
  }
}

function checkSbom(checking: ValueChecker, rule: unknown, path: Path): void {
  const members = rule === null ? null : checking.membersOf(rule, path, ['required', 'exceptions']);
  checkFlag(checking, members?.get('required'), [...path, 'required']);
  for (const [exception, place] of itemsWithPaths(checking, members?.get('exceptions'), [...path, 'exceptions'])) {
    checkTimedException(checking, exception, place, []);
  }
}

/** @returns its members; null after a complaint about the whole */
function checkTimedException(checking: ValueChecker, exception: unknown, path: Path, keys: readonly string[]) {
  const members = checking.membersOf(exception, path, ['if', 'until', ...keys]);
  if (members === null) return null;
  if (members.size === 0)
    checking.addProblem(path, `An exception should have one of ${['if', 'until', ...keys].join(', ')}`);
  const condition = members.get('if');
  // Without a condition it holds everywhere, so nobody should leave one empty by mistake.
  if (condition === null) checking.addProblem([...path, 'if'], `Input should be an expression ${inputNote(condition)}`);
  checkExpression(checking, condition, [...path, 'if']);
  const until = members.get('until');
  if (until !== undefined && timeOf(until) === null)
    checking.addProblem([...path, 'until'], `Input should be a time such as 2027-01-31T00:00:00Z ${inputNote(until)}`);
  return members;
}

function checkAttestationRule(checking: ValueChecker, rule: unknown, path: Path): void {
  const members = checking.membersOf(rule, path, ['if', 'name', 'type', 'must_be_compliant', 'for_control']);
  if (members === null) return;
  const [name, type, control] = [members.get('name'), members.get('type'), members.get('for_control') ?? null];
  if (name !== undefined) checking.textOf(name, [...path, 'name']);
  checking.typeOf(type, [...path, 'type']);
  if ((name ?? '*') === '*' && type === '*')
    checking.addProblem(path, 'A rule should name an attestation, a type or both: not * and *');
  checkFlag(checking, members.get('must_be_compliant'), [...path, 'must_be_compliant']);
  checkExpression(checking, members.get('if'), [...path, 'if']);
  if (control === null) return;
  checking.textOf(control, [...path, 'for_control']);
  if (type !== 'decision')
    checking.addProblem(
      [...path, 'for_control'],
      `Only rules of type decision are for a control ${inputNote(control)}`,
    );
}

function checkFlag(checking: ValueChecker, value: unknown, path: Path): void {
  if (value !== undefined && typeof value !== 'boolean')
    checking.addProblem(path, `Input should be true or false ${inputNote(value)}`);
}

function checkExpression(checking: ValueChecker, value: unknown, path: Path): void {
  if (value === undefined || value === null) return;
  const members = typeof value === 'object' ? checking.membersOf(value, path, ['text']) : null;
  if (typeof value === 'object' && members === null) return;
  const text = members === null ? value : members.get('text');
  const place = members === null ? path : [...path, 'text'];
  if (typeof text !== 'string') return checking.addProblem(place, `Input should be an expression ${inputNote(text)}`);
  const read = parseExpression(unwrapped(text));
  if (!read.ok)
    checking.addProblem(place, `${read.refusal.text}, at character ${read.refusal.at + 1} of ${inputNote(text)}`);
}

function itemsWithPaths(checking: ValueChecker, list: unknown, path: Path): readonly (readonly [unknown, Path])[] {
  const items = checking.itemsOf(list, path);
  if (items.length <= LIST_MAX) return items;
  checking.addProblem(path, `A list holds at most ${LIST_MAX} ${inputNote(items.length)}`);
  return [];
}
