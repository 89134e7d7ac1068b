/** The result of a command: events, a refusal, or nothing because nothing changes. Faults are thrown errors. */
export type Decision<Event, Refusal> =
  | { readonly kind: 'events'; readonly events: readonly [Event, ...Event[]] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'nothing' };

/** The command is accepted. The events record what it changes. */
export function accepted<First, Rest = First>(first: First, ...rest: Rest[]): Decision<First | Rest, never> {
  return { kind: 'events', events: [first, ...rest] };
}

/** The command is refused for a reason that the caller can understand. */
export function refused<Refusal>(refusal: Refusal): Decision<never, Refusal> {
  return { kind: 'refused', refusal };
}

/** The command is valid and changes nothing. */
export const noChange: Decision<never, never> = { kind: 'nothing' };

/** Makes a `switch` over a union exhaustive: the compiler refuses any value that is left over. @throws Error if one occurs */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
