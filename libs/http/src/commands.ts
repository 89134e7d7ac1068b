import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { commandOf } from '@assurance/event-sourcing/message';
import type { Result } from '@assurance/kernel';
import { Injectable } from '@nestjs/common';
import { type Command, CommandBus } from '@nestjs/cqrs';
import { answer } from './answer';
import type { Caller } from './command-caller';
import { unwrap } from './refusals';

/** Makes a base class for commands of a caller with these fields. `Done` is their result unless they are refused. */
export function commandBy<Fields extends object, Done = null>() {
  return commandOf<Fields & { caller: Caller }, Result<Done, FeatureRefusal>>();
}

/** A controller with routes that run commands. */
@Injectable()
export abstract class CommandsController {
  constructor(protected readonly commands: CommandBus) {}

  /** @throws RefusalError if the command is refused */
  protected async run<Done>(command: Command<Result<Done, FeatureRefusal>>): Promise<Done> {
    return unwrap(await this.commands.execute(command));
  }

  /** Runs a command and answers `OK`. */
  protected async ok(command: Command<Result<unknown, FeatureRefusal>>, status = 200) {
    await this.run(command);
    return answer(status, 'OK');
  }

  /** Runs a command that makes something unless it exists, and answers whether it was made (201) or kept (200). */
  protected async answerMade(command: Command<Result<'made' | 'kept', FeatureRefusal>>) {
    return answer((await this.run(command)) === 'made' ? 201 : 200, 'OK');
  }
}
