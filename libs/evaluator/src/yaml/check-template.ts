import { flowTemplateSchema, type TemplateYaml } from '@assurance/contracts/flows/flow-template';
import { checkOf, inputNote, type Problem } from './check-schema';

type NamedItems = readonly (readonly [item: { readonly name: string }, path: Problem['path']])[];

/** Finds the faults of a flow template of version 1: unknown keys, and empty or repeated names. */
export const checkTemplate = checkOf<TemplateYaml>(flowTemplateSchema, ({ trail }, itemsOf) => {
  const artifacts = itemsOf(trail?.artifacts, 'trail', 'artifacts');
  return [
    ...repeatedNames(itemsOf(trail?.attestations, 'trail', 'attestations')),
    ...repeatedNames(artifacts),
    ...artifacts.flatMap(([{ attestations }, path]) => repeatedNames(itemsOf(attestations, ...path, 'attestations'))),
  ];
});

function repeatedNames(items: NamedItems): Problem[] {
  const names = new Set<string>();
  return items.flatMap(([{ name }, path]) => {
    if (names.has(name)) return [{ path: [...path, 'name'], text: `The name is given twice ${inputNote(name)}` }];
    names.add(name);
    return [];
  });
}
