import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '../support/caller';
import type { Role } from '../support/declared';
import type { ProbeCall, ProbeResult } from './probe/call';

/** The target of an attack: a running service, and an organization, `acme`, that attacks it. */
export interface Target {
  readonly deployment: 'embedded' | 'scaled';
  /** Of the gateway, without a slash at its end. */
  readonly url: string;
  /** The service account of this role in `acme`. */
  as(role: Role): Caller;
  /** An administrator of the other organization, `other`, whose requests the probe measures. */
  readonly bystander: Caller;
}

/** An attack that is ready. */
export interface Ready {
  /**
   * Carries it out. Ends within some seconds; throws where the service did not answer as it has to.
   *
   * @returns the waits of `other` that it measured itself, where it did
   */
  run(): Promise<ProbeResult | void>;
  /** Further calls that the probe makes while the attack runs, of the organization `other`. */
  readonly probe?: readonly ProbeCall[];
}

/** One attack. A file of `cases` exports one as `attack`; that is all it takes to add it. */
export interface Attack {
  /** Completes the sentence "The service keeps its rule while …". */
  readonly name: string;
  /** It leaves work of its organization, which later requests of that organization wait for. So it runs after the others. */
  readonly leavesWork?: boolean;
  /** It runs on a process that had no other attack. */
  readonly afresh?: boolean;
  /** The short form runs it on MongoDB and Kafka too, as one of each kind of work: reports, lists, files, connections. The long form runs all there. */
  readonly onServices?: true;
  /** Prepares the attack before anything is measured. */
  prepare(target: Target): Promise<Ready>;
}

/** Every attack of the folder `cases`, by file name. Those that leave work run last. */
export function attacks(): readonly Attack[] {
  const folder = join(__dirname, 'cases');
  return readdirSync(folder)
    .sort()
    .map((name) => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- tests are declared before anything can be awaited
      const { attack } = require(join(folder, name)) as { readonly attack?: Attack };
      if (attack === undefined) throw new Error(`${name} exports no attack`);
      return attack;
    })
    .sort((a, b) => Number(a.leavesWork ?? false) - Number(b.leavesWork ?? false));
}
