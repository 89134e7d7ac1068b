import type { Operator } from './operator';

/** A service that runs, reachable at `url`. */
export interface Running {
  readonly url: string;
  /** Of every gateway, where there are several: requests go to each in turn. */
  readonly urls?: readonly string[];
  readonly operator: Operator;
  /** The organization that specs call `acme`, where it has another name. */
  readonly org?: string;
  /** What it logged of errors so far: faults that no test provoked. Of a service that another process runs, once it was stopped. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

export type Settings = Readonly<Record<string, string>>;

/** How services run: all roles in one process or in several, on which engines. */
export type DeploymentName = 'embedded' | 'scaled' | 'replicated';
