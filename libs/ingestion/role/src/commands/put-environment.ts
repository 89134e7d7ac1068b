import type { EnvironmentType } from '@assurance/contracts-events';
import { decidePutEnvironment } from '@assurance/ingestion-domain';
import { no, ok, type Result } from '@assurance/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { by, type Caller } from '../caller';
import { Environments } from '../environments';
import { Register } from '../register';
import type { CommandRefusal } from '../refusals';
import { Streams } from '../streams';

export interface EnvironmentInput {
  readonly name: string;
  readonly type: EnvironmentType;
  readonly description?: string;
  readonly includeScaling?: boolean;
  readonly requireProvenance?: boolean;
  /** Names of member environments. */
  readonly includedEnvironments?: readonly string[];
}

/** Creates an environment or updates its settings (WIRE 3.1). */
export class PutEnvironment extends Command<Result<'made' | 'kept', CommandRefusal>> {
  constructor(
    readonly caller: Caller,
    readonly input: EnvironmentInput,
  ) {
    super();
  }
}

@CommandHandler(PutEnvironment)
export class PutEnvironmentHandler implements ICommandHandler<PutEnvironment> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly environments: Environments,
  ) {}

  async execute({ caller, input }: PutEnvironment): Promise<Result<'made' | 'kept', CommandRefusal>> {
    const { includedEnvironments, ...settings } = input;
    const members = await this.members(caller, input.type === 'logical' ? (includedEnvironments ?? null) : null);
    if (!members.ok) return members;
    const given = { ...settings, ...(members.value === null ? {} : { includedEnvironments: members.value }) };
    const id = await this.register.claim(
      caller.org.id,
      'environment',
      input.name,
      this.streams.sources.id(),
      by(caller),
    );
    let isNew = false;
    const ended = await this.environments.run(id, by(caller), (present) => {
      isNew = present === null;
      return decidePutEnvironment(present?.environment ?? null, given, { id });
    });
    if (ended.kind === 'refused') return no(ended.refusal);
    if (ended.kind === 'lost-race') return no({ kind: 'lost-race' });
    return ok(isNew ? 'made' : 'kept');
  }

  /** Ids of the members of a logical environment: they must exist and be physical. */
  private async members(
    caller: Caller,
    names: readonly string[] | null,
  ): Promise<Result<string[] | null, CommandRefusal>> {
    if (names === null) return ok(null);
    const ids: string[] = [];
    for (const name of names) {
      const id = await this.register.find(caller.org.id, 'environment', name);
      const member = id === null ? null : await this.environments.present(id);
      if (member === null || member.environment.type === 'logical') {
        const why = member === null ? 'does not exist' : 'is a logical environment itself';
        return no({ kind: 'invalid', errors: { included_environments: `Environment '${name}' ${why}` } });
      }
      ids.push(member.environment.id);
    }
    return ok(ids);
  }
}
