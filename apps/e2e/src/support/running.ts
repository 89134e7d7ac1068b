import type { Operator } from './operator';

/** A service that runs, reachable at `url`. */
export interface RunningService {
  readonly url: string;
  /** Of every gateway, where there are several: requests go to each in turn. */
  readonly urls?: readonly string[];
  readonly operator: Operator;
  /** The organization that specs call `acme`, where it has another name. */
  readonly org?: string;
  /** The errors that it logged so far. For a service in another process they are known after its stop. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

export type Settings = Readonly<Record<string, string>>;

/** How services run: all roles in one process or in several, on which engines. */
export type DeploymentName = 'embedded' | 'scaled' | 'replicated';
