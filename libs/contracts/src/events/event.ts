/** An event: a fact in the past tense, with the version of its data's shape. */
export interface DomainEvent<Type extends string = string, Version extends number = number, Data = unknown> {
  readonly type: Type;
  readonly version: Version;
  readonly data: Data;
}

/** Where and when an event was committed. */
export interface EventMeta {
  readonly org: string;
  readonly stream: string;
  readonly seq: number;
  /** Integer milliseconds since 1970. */
  readonly at: number;
  /** Id of the user or service account, or `bootstrap`, or `system`. */
  readonly actor: string;
}
