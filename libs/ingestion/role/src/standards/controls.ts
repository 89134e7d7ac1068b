import { streams } from '@assurance/contracts-events';
import { control, type Control } from '@assurance/model';
import { Injectable } from '@nestjs/common';
import { ControlVersions } from '../attestations/control-versions';
import { Register } from '../core/register';
import { Streams } from '../core/streams';

/** The controls of organizations, for commands that refer to one by its identifier. */
@Injectable()
export class Controls extends ControlVersions {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
  ) {
    super();
  }

  /** The present state of a control, archived or not; null if the identifier is unknown. */
  async find(org: string, identifier: string): Promise<Control | null> {
    const id = await this.register.find(org, 'control', identifier);
    return id === null ? null : (await this.streams.load(control, streams.control(id))).state;
  }

  override async versionOf(org: string, identifier: string): Promise<number | null> {
    return (await this.find(org, identifier))?.version ?? null;
  }
}
