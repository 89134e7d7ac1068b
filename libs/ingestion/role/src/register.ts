import { type NameEvent, type NameKind, streams } from '@assurance/contracts-events';
import { accepted, type Decision, nothing } from '@assurance/kernel';
import { name as register } from '@assurance/model-access';
import type { By, Streams } from './streams';

/** The register of names: who holds what must be unique. */
export class Register {
  constructor(private readonly streams: Streams) {}

  /** The id that holds a name, null when nobody claimed it. A claimed name may still have no aggregate. */
  async find(org: string, kind: NameKind, name: string): Promise<string | null> {
    const head = await this.streams.heads(register).get(streams.name(org, kind, name));
    return head?.id ?? null;
  }

  /**
   * The id that holds a name, claimed now when nobody holds it. The first append decides a race.
   *
   * @param id the id to claim it for
   */
  async claim(org: string, kind: NameKind, name: string, id: string, by: By): Promise<string> {
    const known = await this.find(org, kind, name);
    if (known !== null) return known;
    const ended = await this.streams.run(
      register,
      streams.name(org, kind, name),
      by,
      ({ state }): Decision<NameEvent, never> =>
        state === null ? accepted({ type: 'NameClaimed', version: 1, data: { id } }) : nothing,
    );
    if (ended.kind === 'committed') return id;
    if (ended.kind === 'nothing' && ended.state !== null) return ended.state.id;
    throw new Error(`the name ${name} could not be claimed`);
  }
}
