import type { CommitInfo, FlowTemplate } from '@assurance/contracts-events';
import { type ArtifactPostInput, type CommitInput, routes } from '@assurance/contracts-http';
import { type Call, type CallFile, type CallOf, RefusalError, Route, TheCall } from '@assurance/http';
import { givenRepo } from '@assurance/ingestion-domain';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CommandsController } from '../commands';
import { ReadFile } from '../core/read-file';
import { callerOf } from '../core/caller';
import { commitInfoOf } from '../core/commit-info';
import { PutFlow } from './put-flow';
import { ReportArtifact } from './report-artifact';
import type { FlowInput } from './make-flow';
import { errorsBelow } from '../core/errors-below';

@Controller()
export class FlowsController extends CommandsController {
  constructor(
    commands: CommandBus,
    private readonly read: ReadFile,
  ) {
    super(commands);
  }

  @Route(routes.putFlow)
  async put(@TheCall() call: CallOf<typeof routes.putFlow>) {
    const { template, ...flow } = call.body;
    return this.putFlow(call, { ...given(flow), template: template == null ? undefined : { list: template } });
  }

  @Route(routes.putFlowTemplateFile)
  async putTemplateFile(@TheCall() call: CallOf<typeof routes.putFlowTemplateFile>) {
    const file = call.files['template_file'];
    const template = file === undefined ? undefined : await this.templateOf(call, file);
    return this.putFlow(call, { ...given(call.body), template });
  }

  @Route(routes.postArtifact)
  async reportArtifact(@TheCall() call: CallOf<typeof routes.postArtifact>) {
    const { body } = call;
    return this.made(
      new ReportArtifact(
        callerOf(call),
        call.params.flow,
        {
          fingerprint: body.fingerprint,
          filename: body.filename,
          gitCommit: body.git_commit,
          trail: body.trail_name ?? null,
          template: body.template_reference_name ?? null,
          commit: commitOf(body),
          commitUrl: body.commit_url || null,
          buildUrl: body.build_url || null,
          externalUrls: body.external_urls ?? {},
          annotations: body.annotations ?? {},
        },
        givenRepo(body.repo_info ?? null, body.repo_url ?? null),
      ),
    );
  }

  private async putFlow(call: Call, input: FlowInput) {
    return this.made(new PutFlow({ caller: callerOf(call), input }));
  }

  /** A template that was sent as a file; its errors are those of the field `template_file`. */
  private async templateOf(call: Call, file: CallFile): Promise<FlowTemplate> {
    const read = await this.read.as('template', callerOf(call).org.id, file);
    if (read.ok) return read.value;
    throw new RefusalError({ kind: 'invalid', errors: errorsBelow('template_file', read.refusal) });
  }
}

function given({ name, description, visibility }: FlowInput): FlowInput {
  return { name, description: description ?? undefined, visibility: visibility ?? undefined };
}

/** The commit of an artifact: in the legacy form the one of `commits_list` with its SHA-1. */
function commitOf({ git_commit_info, commits_list, git_commit }: ArtifactPostInput): CommitInfo | null {
  const commit: CommitInput | undefined = git_commit_info ?? commits_list?.find(({ sha1 }) => sha1 === git_commit);
  return commit === undefined ? null : commitInfoOf(commit);
}
