import { type NameEvent, type NameKind, streams } from '@assurance/contracts-events';
import { type Holder, isAlias } from '@assurance/ingestion-domain';
import { accepted, type Decision, nothing } from '@assurance/kernel';
import { name as register } from '@assurance/model-access';
import { holderOf } from '@assurance/readers-names';
import type { By, Streams } from './streams';

/** The register of names: who holds what must be unique. */
export class Register {
  constructor(private readonly streams: Streams) {}

  /** The id that holds a name, null when nobody claimed it. A claimed name may still have no aggregate. */
  find(org: string, kind: NameKind, name: string): Promise<string | null> {
    return holderOf(this.streams.engines.documents, org, kind, name);
  }

  /**
   * The id that holds a name, claimed now when nobody holds it. The first append decides a race.
   *
   * @param id the id to claim it for
   */
  async claim(org: string, kind: NameKind, name: string, id: string, by: By): Promise<string> {
    return (await this.find(org, kind, name)) ?? this.take(org, kind, name, { id }, by, () => Promise.resolve(null));
  }

  /**
   * Claims a name that nobody holds, or that is a mere alias by now (STORAGE, Streams and names). The decision lies in the name's own stream, so
   * that of two who want it one has it.
   *
   * @param as the id to claim it for; with the seq of its stream where that stream's next commit is to take the name
   * @param look how the aggregate that holds the name stands; null when it has no commit
   * @returns the id that holds the name from now on
   */
  async take(
    org: string,
    kind: NameKind,
    name: string,
    { id, at }: { readonly id: string; readonly at?: number },
    by: By,
    look: (holder: string) => Promise<Holder | null>,
  ): Promise<string> {
    const claimed: NameEvent = { type: 'NameClaimed', version: 1, data: { id, ...(at === undefined ? {} : { at }) } };
    const ended = await this.streams.run(
      register,
      streams.name(org, kind, name),
      by,
      async ({ state }): Promise<Decision<NameEvent, never>> => {
        if (state === null) return accepted(claimed);
        if (state.id === id) return at === undefined || state.at === at ? nothing : accepted(claimed);
        return isAlias(name, state, await look(state.id)) ? accepted(claimed) : nothing;
      },
    );
    return ended.kind === 'nothing' && ended.state !== null ? ended.state.id : id;
  }
}
