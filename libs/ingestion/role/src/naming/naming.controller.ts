import { input } from '@assurance/kernel';
import { routes, TAGGED, type TagsPatchInput } from '@assurance/contracts-http';
import { answer, type CallOf, type Refusal, RefusalError, Route, TheCall, unwrap } from '@assurance/http';
import type { ChangeTags } from '@assurance/ingestion-domain';
import type { Result } from '@assurance/kernel';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { callerOf } from '../core/caller';
import { ChangeControl } from '../standards/change-control';
import { ChangeEnvironment } from '../environments/change-environment';
import { ChangeFlow } from '../flows/change-flow';
import { TagRepo } from '../flows/tag-repo';

/** Routes that change the settings, names and tags of existing environments and flows, and archive them. */
@Controller()
export class NamingController {
  constructor(private readonly commands: CommandBus) {}

  @Route(routes.patchEnvironment)
  async patchEnvironment(@TheCall() call: CallOf<typeof routes.patchEnvironment>) {
    const { description, include_scaling, included_environments } = call.body;
    const change = {
      kind: 'patch',
      description,
      includeScaling: include_scaling,
      includedEnvironments: included_environments,
    } as const;
    return done(await this.commands.execute(new ChangeEnvironment(callerOf(call), call.params.env, change)));
  }

  @Route(routes.archiveEnvironment)
  async archiveEnvironment(@TheCall() call: CallOf<typeof routes.archiveEnvironment>) {
    return done(
      await this.commands.execute(new ChangeEnvironment(callerOf(call), call.params.env, { kind: 'archive' })),
    );
  }

  @Route(routes.renameEnvironment)
  async renameEnvironment(@TheCall() call: CallOf<typeof routes.renameEnvironment>) {
    const change = { kind: 'rename', name: call.body.new_name } as const;
    return done(await this.commands.execute(new ChangeEnvironment(callerOf(call), call.params.env, change)));
  }

  @Route(routes.joinEnvironment)
  async joinEnvironment(@TheCall() call: CallOf<typeof routes.joinEnvironment>) {
    const change = { kind: 'join', member: call.body.physical_env_name } as const;
    return done(await this.commands.execute(new ChangeEnvironment(callerOf(call), call.params.env, change)));
  }

  @Route(routes.archiveFlow)
  async archiveFlow(@TheCall() call: CallOf<typeof routes.archiveFlow>) {
    return done(await this.commands.execute(new ChangeFlow(callerOf(call), call.params.flow, { kind: 'archive' })));
  }

  @Route(routes.renameFlow)
  async renameFlow(@TheCall() call: CallOf<typeof routes.renameFlow>) {
    const change = { kind: 'rename', name: call.body.new_name } as const;
    return done(await this.commands.execute(new ChangeFlow(callerOf(call), call.params.flow, change)));
  }

  @Route(routes.patchTags)
  async patchTags(@TheCall() call: CallOf<typeof routes.patchTags>) {
    const { resource_type, id } = call.params;
    const tags = tagsOf(call.body);
    const caller = callerOf(call);
    switch (resource_type) {
      case 'control':
      case 'controls':
        return done(await this.commands.execute(new ChangeControl(caller, id, { kind: 'tag', tags })));
      case 'env':
      case 'environment':
      case 'environments':
        return done(await this.commands.execute(new ChangeEnvironment(caller, id, { kind: 'tag', tags })));
      case 'flow':
      case 'flows':
        return done(await this.commands.execute(new ChangeFlow(caller, id, { kind: 'tag', tags })));
      case 'repo':
      case 'repos':
        return done(await this.commands.execute(new TagRepo(caller, id, tags)));
      default: {
        const kinds = TAGGED.map((one) => `'${one}'`).join(', ');
        throw new RefusalError({
          kind: 'invalid',
          errors: { resource_type: `Input should be ${kinds} ${input(resource_type)}` },
        });
      }
    }
  }
}

function done(result: Result<null, Refusal>) {
  unwrap(result);
  return answer(200, 'OK');
}

function tagsOf({ set_tags, remove_tags }: TagsPatchInput): ChangeTags {
  return { set: set_tags ?? {}, remove: remove_tags ?? [] };
}
