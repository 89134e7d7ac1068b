import type { ChangeTags } from '@assurance/access/domain/naming/tags';
import type { TagsPatchInput } from '@assurance/contracts/http/bodies/naming';
import { TAGGED } from '@assurance/contracts/http/routes/naming';
import { routes } from '@assurance/contracts/http/routes/routes';
import { ChangeFlow } from '@assurance/flows/write/change-flow';
import { TagRepo } from '@assurance/flows/write/tag-repo';
import { type Call, type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { input } from '@assurance/kernel';
import { ChangeControl } from '@assurance/policies/write/controls';
import { Controller } from '@nestjs/common';
import { ChangeEnvironment } from './change-environment';

/** Routes that change the settings, names, tags and spaces of existing environments and flows, and archive them. */
@Controller()
export class NamingController extends CommandsController {
  @Route(routes.patchEnvironment)
  patchEnvironment(@RequestCall() call: CallOf<typeof routes.patchEnvironment>) {
    const { description, include_scaling, included_environments, report_every, policies } = call.body;
    const change = {
      kind: 'patch',
      description,
      includeScaling: include_scaling,
      includedEnvironments: included_environments,
      reportEvery: report_every,
      policies,
    } as const;
    return this.changeEnvironment(call, change);
  }

  @Route(routes.archiveEnvironment)
  archiveEnvironment(@RequestCall() call: CallOf<typeof routes.archiveEnvironment>) {
    return this.changeEnvironment(call, { kind: 'archive' });
  }

  @Route(routes.renameEnvironment)
  renameEnvironment(@RequestCall() call: CallOf<typeof routes.renameEnvironment>) {
    return this.changeEnvironment(call, { kind: 'rename', name: call.body.new_name });
  }

  @Route(routes.joinEnvironment)
  joinEnvironment(@RequestCall() call: CallOf<typeof routes.joinEnvironment>) {
    return this.changeEnvironment(call, { kind: 'join', member: call.body.physical_env_name });
  }

  @Route(routes.moveEnvironment)
  moveEnvironment(@RequestCall() call: CallOf<typeof routes.moveEnvironment>) {
    return this.changeEnvironment(call, { kind: 'move', space: call.body.space_id });
  }

  @Route(routes.archiveFlow)
  archiveFlow(@RequestCall() call: CallOf<typeof routes.archiveFlow>) {
    return this.changeFlow(call, { kind: 'archive' });
  }

  @Route(routes.renameFlow)
  renameFlow(@RequestCall() call: CallOf<typeof routes.renameFlow>) {
    return this.changeFlow(call, { kind: 'rename', name: call.body.new_name });
  }

  @Route(routes.moveFlow)
  moveFlow(@RequestCall() call: CallOf<typeof routes.moveFlow>) {
    return this.changeFlow(call, { kind: 'move', space: call.body.space_id });
  }

  @Route(routes.patchTags)
  async patchTags(@RequestCall() call: CallOf<typeof routes.patchTags>) {
    const { resource_type, id } = call.params;
    const tags = tagsOf(call.body);
    const caller = callerOf(call);
    switch (resource_type) {
      case 'control':
      case 'controls':
        return this.ok(new ChangeControl({ caller, identifier: id, change: { kind: 'tag', tags } }));
      case 'env':
      case 'environment':
      case 'environments':
        return this.ok(new ChangeEnvironment({ caller, environment: id, change: { kind: 'tag', tags } }));
      case 'flow':
      case 'flows':
        return this.ok(new ChangeFlow({ caller, flow: id, change: { kind: 'tag', tags } }));
      case 'repo':
      case 'repos':
        return this.ok(new TagRepo({ caller, id, tags }));
      default: {
        const kinds = TAGGED.map((kind) => `'${kind}'`).join(', ');
        throw new RefusalError({
          kind: 'invalid',
          errors: { resource_type: `Input should be ${kinds} ${input(resource_type)}` },
        });
      }
    }
  }

  private changeEnvironment(
    call: Call<unknown, unknown, { readonly env: string }>,
    change: ChangeEnvironment['change'],
  ) {
    return this.ok(new ChangeEnvironment({ caller: callerOf(call), environment: call.params.env, change }));
  }

  private changeFlow(call: Call<unknown, unknown, { readonly flow: string }>, change: ChangeFlow['change']) {
    return this.ok(new ChangeFlow({ caller: callerOf(call), flow: call.params.flow, change }));
  }
}

function tagsOf({ set_tags, remove_tags }: TagsPatchInput): ChangeTags {
  return { set: set_tags ?? {}, remove: remove_tags ?? [] };
}
