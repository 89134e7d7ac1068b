import type { FlowTemplate } from '@assurance/contracts-events';
import { routes, type TrailPutInput } from '@assurance/contracts-http';
import { type CallFile, type CallOf, RefusalError, Route, TheCall } from '@assurance/http';
import { type BeginTrail as TrailInput, givenRepo } from '@assurance/ingestion-domain';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CommandsController } from '../commands';
import { ReadFile } from '../core/read-file';
import { callerOf } from '../core/caller';
import { BeginTrail } from './begin-trail';
import { commitInfoOf } from '../core/commit-info';

@Controller()
export class TrailsController extends CommandsController {
  constructor(
    commands: CommandBus,
    private readonly read: ReadFile,
  ) {
    super(commands);
  }

  @Route(routes.putTrail)
  async put(@TheCall() call: CallOf<typeof routes.putTrail>) {
    const file = call.files['template_file'];
    const input = {
      ...given(call.body),
      ...(file === undefined ? {} : { template: await this.templateOf(call, file) }),
    };
    const repo = givenRepo(call.body.repo_info ?? null, null);
    return this.made(new BeginTrail({ caller: callerOf(call), flow: call.params.flow, input, repo }));
  }

  /** Errors of a trail's template keep their own texts. */
  private async templateOf(call: CallOf<typeof routes.putTrail>, file: CallFile): Promise<FlowTemplate> {
    const read = await this.read.as('template', callerOf(call).org.id, file);
    if (read.ok) return read.value;
    throw new RefusalError({ kind: 'template-invalid', errors: read.refusal });
  }
}

/** The fields that were sent. */
function given(body: TrailPutInput): Omit<TrailInput, 'repo'> {
  const { name, description, user_data, git_commit_info, external_urls, origin_url } = body;
  return {
    name,
    ...(description == null ? {} : { description }),
    ...(user_data == null ? {} : { userData: user_data }),
    ...(git_commit_info == null ? {} : { commit: commitInfoOf(git_commit_info) }),
    ...(external_urls == null ? {} : { externalUrls: external_urls }),
    ...(origin_url == null ? {} : { originUrl: origin_url }),
  };
}
