import { streams } from '@assurance/contracts-events';
import { NO_SPACES, spaceTree, type SpaceTree } from '@assurance/model';
import { Injectable } from '@nestjs/common';
import { Streams } from '../core/streams';

/** Reads the spaces of an organization for commands that move something into them. */
@Injectable()
export class Spaces {
  constructor(private readonly streams: Streams) {}

  /** All spaces of an organization, from its newest commit. */
  async of(org: string): Promise<Pick<SpaceTree, 'spaces'>> {
    return (await this.streams.load(spaceTree, streams.spaces(org))).state ?? NO_SPACES;
  }
}
