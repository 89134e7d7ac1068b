import { streams } from '@assurance/contracts-events';
import { targetConfig } from '@assurance/model';
import { Injectable } from '@nestjs/common';
import { Register } from '../core/register';
import { Streams } from '../core/streams';

/** Target configurations by name. */
@Injectable()
export class TargetConfigs {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
  ) {}

  /** The id of the configuration of a name, null when there is none. */
  async find(org: string, name: string): Promise<string | null> {
    const id = await this.register.find(org, 'target-config', name);
    return id === null || (await this.holder(id))?.name !== name ? null : id;
  }

  /** How a configuration is called, and where its stream stands; one that is deleted holds no name. */
  async holder(id: string): Promise<{ readonly name: string; readonly seq: number } | null> {
    const { state, newest } = await this.streams.load(targetConfig, streams.targetConfig(id));
    if (state === null || newest === null) return null;
    return { name: state.deleted ? '' : state.name, seq: newest.seq };
  }
}
