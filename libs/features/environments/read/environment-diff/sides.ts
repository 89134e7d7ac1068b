import type { Ports } from '@assurance/event-sourcing/tokens';
import { type FlowNameOf, flowNames, type RecordedFlow } from '@assurance/flows/lookups/flow-names';
import type { Refusal } from '@assurance/http';
import type { Caller } from '@assurance/http/query-caller';
import { err, mapInSlices, ok, type Result } from '@assurance/kernel';
import { unreadableExpression } from '../snapshots';
import { readSnappish, SNAPPISH_FORMS } from '../snapshots/expression';
import { type LocatedSnapshot, locateSnapshot, readLocatedSnapshot } from '../snapshots/located-snapshot';
import type { Side } from './artifact-groups';

/** A parameter with an environment and a snapshot expression. */
type Parameter = readonly [field: string, text: string];

/**
 * The two snapshots that a request compares; refused where an expression cannot be read, or means no snapshot.
 *
 * @param now integer milliseconds
 */
export async function locateSides(
  stores: Pick<Ports, 'documents' | 'events'>,
  caller: Caller,
  now: number,
  ...[[field, text], [otherField, otherText]]: readonly [Parameter, Parameter]
): Promise<Result<readonly [LocatedSnapshot, LocatedSnapshot], Refusal>> {
  const [first, second] = [readSnappish(text, now), readSnappish(otherText, now)];
  if (first === null) return err(unreadableExpression(field, SNAPPISH_FORMS, text));
  if (second === null) return err(unreadableExpression(otherField, SNAPPISH_FORMS, otherText));
  const one = await locateSnapshot(stores, caller, first);
  if (!one.ok) return one;
  const two = await locateSnapshot(stores, caller, second);
  return two.ok ? ok([one.value, two.value]) : two;
}

/** What ran in both, and the present names of its flows. */
export async function readSides(
  { events, documents }: Pick<Ports, 'documents' | 'events'>,
  located: readonly [LocatedSnapshot, LocatedSnapshot],
): Promise<Result<{ readonly sides: readonly [Side, Side]; readonly flowNameOf: FlowNameOf }, Refusal>> {
  const recorded: RecordedFlow[] = [];
  const read = async (snapshot: LocatedSnapshot): Promise<Result<Side, Refusal>> => {
    const result = await readLocatedSnapshot(events, snapshot);
    if (!result.ok) return result;
    await mapInSlices(result.value.artifacts, ({ flows: [first] }) => {
      if (first !== undefined) recorded.push(first.flow);
    });
    return ok({ id: snapshot.id, snapshot: result.value });
  };
  const first = await read(located[0]);
  if (!first.ok) return first;
  const second = await read(located[1]);
  if (!second.ok) return second;
  return ok({ sides: [first.value, second.value], flowNameOf: await flowNames(documents, recorded) });
}

/** All that a comparison depends on beside its own parameters: snapshots never change, and flows get other names. */
export function sidesKey(located: readonly LocatedSnapshot[]): readonly unknown[] {
  return located.map(({ environment: { id, name }, index }) => [id, name, index]);
}
