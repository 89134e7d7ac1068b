import type { RunningArtifact } from '@assurance/contracts/environments/events';
import { SYSTEM } from '@assurance/contracts/events/streams';
import { BytesCache, noChange, pieces, Slices } from '@assurance/kernel';
import { Injectable } from '@nestjs/common';
import { stateOf } from '../../domain/environment';
import { isHistory } from '../../domain/reports';
import { decideUnite, type Member, Union } from '../../domain/decide-unite';
import type { JudgingWork } from '../../judging/work';
import { Activity } from '../activity';
import { Environments, type LoadedEnvironment } from '../environments';

/** How many bytes of running artifacts of members are cached. */
const BYTES_MAX = 64 * 1024 * 1024;
/** How many artifacts are united between two looks at the clock. */
const PIECE = 64;

interface RecordedSnapshot {
  readonly commit: string;
  readonly artifacts: readonly RunningArtifact[];
}

/** Records a snapshot of a logical environment if its newest snapshot differs from what its members run. */
@Injectable()
export class UniteMembers {
  /** The newest snapshot of each member, by the member's id. One member changes at a time; the others stay as they were. */
  private readonly cache = new BytesCache<RecordedSnapshot>(BYTES_MAX);

  constructor(
    private readonly environments: Environments,
    private readonly activity: Activity,
  ) {}

  /** @throws Refused `lost-race` */
  async do(environment: string, { org, correlation }: JudgingWork): Promise<void> {
    await this.environments.run(environment, { org, actor: SYSTEM, correlation }, async (current, at) => {
      if (current === null) return noChange;
      const recordedArtifacts = await this.environments.newest(current);
      const members: Member[] = [];
      for (const id of current.environment.includedEnvironments ?? []) {
        const member = await this.environments.find(id);
        // An archived member accepts no reports, so its content is unknown.
        if (member === null || member.environment.archived) continue;
        const { newest } = await this.activity.reports(member.environment);
        members.push({
          id,
          snapshot: member.environment.snapshot,
          compliant: stateOf(member.environment),
          artifacts: await this.artifactsOf(member),
          observedAt: member.environment.lastChangedAt,
          tellsHistory: newest !== null && isHistory(newest),
        });
      }
      const union = new Union();
      const slices = new Slices();
      for (const { artifacts } of members) {
        for (const piece of pieces(artifacts, PIECE)) {
          union.add(piece);
          if (slices.over) await slices.next();
        }
      }
      return decideUnite(current.environment, { members }, { at, recordedArtifacts }, union.artifacts);
    });
  }

  private async artifactsOf(member: LoadedEnvironment): Promise<readonly RunningArtifact[]> {
    const { id } = member.environment;
    const cachedSnapshot = this.cache.get(id);
    if (cachedSnapshot?.commit === member.newest.id) return cachedSnapshot.artifacts;
    const artifacts = await this.environments.newest(member);
    this.cache.set(id, { commit: member.newest.id, artifacts });
    return artifacts;
  }
}
