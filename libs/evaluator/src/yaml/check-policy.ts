import { readPattern } from '@assurance/components/domain/pattern';
import { isOtherNotation } from '@assurance/components/domain/versions/range';
import { type PolicyExpression, policySchema, type PolicyYaml } from '@assurance/contracts/policies/policy-schema';
import { parseExpression, unwrapExpression } from '@assurance/policies/domain/expression/parse';
import { checkOf, inputNote, type ItemsOf, type Problem } from './check-schema';

type Path = Problem['path'];
type Artifacts = NonNullable<PolicyYaml['artifacts']>;

/** Finds the faults of an environment policy of version 1. Unknown keys are faults at every level. */
export const checkPolicy = checkOf<PolicyYaml>(policySchema, ({ artifacts }, itemsOf) => {
  if (artifacts == null) return [];
  const exceptions = (['provenance', 'trail-compliance', 'sbom', 'components', 'vulnerabilities'] as const).flatMap(
    (name) => itemsOf<{ readonly if?: PolicyExpression }>(artifacts[name]?.exceptions, 'artifacts', name, 'exceptions'),
  );
  const rules = itemsOf(artifacts.attestations, 'artifacts', 'attestations');
  return [
    ...[...exceptions, ...rules].flatMap(([{ if: expression }, path]) =>
      expressionProblems(expression, [...path, 'if']),
    ),
    ...rules.flatMap(([rule, path]) => attestationProblems(rule, path)),
    ...componentProblems(artifacts.components, itemsOf),
  ];
});

function attestationProblems(
  { name = '*', type, for_control: control }: NonNullable<Artifacts['attestations']>[number],
  path: Path,
): Problem[] {
  const problems: Problem[] = [];
  if (name === '*' && type === '*') {
    problems.push({ path, text: 'A rule should name an attestation, a type or both: not * and *' });
  }
  if (control != null && type !== 'decision') {
    const text = `Only rules of type decision are for a control ${inputNote(control)}`;
    problems.push({ path: [...path, 'for_control'], text });
  }
  return problems;
}

function expressionProblems(expression: PolicyExpression | undefined, path: Path): Problem[] {
  if (expression == null) return [];
  const [text, place] = typeof expression === 'string' ? [expression, path] : [expression.text, [...path, 'text']];
  const read = parseExpression(unwrapExpression(text));
  if (read.ok) return [];
  const { text: problem, at } = read.refusal;
  return [{ path: place, text: `${problem}, at character ${at + 1} of ${inputNote(text)}` }];
}

function componentProblems(rule: Artifacts['components'], itemsOf: ItemsOf): Problem[] {
  const path = ['artifacts', 'components'];
  const exceptions = itemsOf(rule?.exceptions, ...path, 'exceptions').flatMap(([{ purl, range }, place]) =>
    purl === undefined ? [] : patternProblems({ purl, range }, (field) => [...place, field]),
  );
  const denied = itemsOf(rule?.deny, ...path, 'deny').flatMap(([pattern, place]) =>
    typeof pattern === 'string'
      ? patternProblems({ purl: pattern }, () => place)
      : patternProblems(pattern, (field) => [...place, field]),
  );
  return [...denied, ...exceptions];
}

/** @param placeOf returns the path of a field of the pattern */
function patternProblems(
  { purl, range = null }: { readonly purl: string; readonly range?: string | null | undefined },
  placeOf: (field: 'purl' | 'range') => Path,
): Problem[] {
  const read = readPattern({ purl, range });
  if ('problem' in read)
    return [{ path: placeOf(read.field), text: `${read.problem} ${inputNote(read.field === 'purl' ? purl : range)}` }];
  // Versions of policies that were stored before may have such ranges.
  if (range === null || read.range === null || !isOtherNotation(read.range)) return [];
  const problem = 'Input should have bounds such as >=2,<2.17, without brackets and wildcards';
  return [{ path: placeOf('range'), text: `${problem} ${inputNote(range)}` }];
}
