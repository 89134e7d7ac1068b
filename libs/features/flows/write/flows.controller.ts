import type { CommitInfo } from '@assurance/contracts/events/commit';
import type { ArtifactPostInput, CommitInput } from '@assurance/contracts/flows/bodies/artifact';
import type { TrailPutInput } from '@assurance/contracts/flows/bodies/origin';
import type { ArtifactDetails } from '@assurance/contracts/flows/events';
import { routes } from '@assurance/contracts/http/routes/routes';
import { Evaluator } from '@assurance/evaluator';
import { type Call, type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { errorsBelow } from '@assurance/http/errors-below';
import { ok } from '@assurance/kernel';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { BeginTrail as TrailInput } from '../domain/begin-trail';
import type { PutFlow as FlowInput } from '../domain/put-flow';
import { reportedRepo } from '../domain/record-repo';
import { BeginTrail } from './begin-trail';
import { commitInfoOf } from './commit-info';
import { PutFlow } from './put-flow';
import { ReportArtifact } from './report-artifact';

@Controller()
export class FlowsController extends CommandsController {
  constructor(
    commands: CommandBus,
    private readonly evaluator: Evaluator,
  ) {
    super(commands);
  }

  @Route(routes.putFlow)
  async put(@RequestCall() call: CallOf<typeof routes.putFlow>) {
    const { template, ...flow } = call.body;
    return this.putFlow(call, { ...flowInput(flow), template: template == null ? undefined : { list: template } });
  }

  @Route(routes.putFlowTemplateFile)
  async putTemplateFile(@RequestCall() call: CallOf<typeof routes.putFlowTemplateFile>) {
    const file = call.files['template_file'];
    const read =
      file === undefined ? ok(undefined) : await this.evaluator.readYaml(call.org.id, 'template', file.content);
    if (!read.ok) throw new RefusalError({ kind: 'invalid', errors: errorsBelow('template_file', read.refusal) });
    return this.putFlow(call, { ...flowInput(call.body), template: read.value });
  }

  @Route(routes.postArtifact)
  async reportArtifact(@RequestCall() call: CallOf<typeof routes.postArtifact>) {
    const { body } = call;
    return this.answerMade(
      new ReportArtifact(
        callerOf(call),
        call.params.flow,
        {
          fingerprint: body.fingerprint,
          filename: body.filename,
          gitCommit: body.git_commit ?? body.git_commit_info?.sha1 ?? '',
          trail: body.trail_name ?? null,
          template: body.template_reference_name ?? null,
          commit: commitOf(body),
          commitUrl: body.commit_url || null,
          buildUrl: body.build_url || null,
          externalUrls: body.external_urls ?? {},
          annotations: body.annotations ?? {},
          ...detailsOf(body),
        },
        reportedRepo(body.repo_info ?? null, body.repo_url ?? null),
      ),
    );
  }

  @Route(routes.putTrail)
  async putTrail(@RequestCall() call: CallOf<typeof routes.putTrail>) {
    const file = call.files['template_file'];
    const read =
      file === undefined ? ok(undefined) : await this.evaluator.readYaml(call.org.id, 'template', file.content);
    // Errors of a trail's template keep their own texts.
    if (!read.ok) throw new RefusalError({ kind: 'template-invalid', errors: read.refusal });
    const input = { ...trailInput(call.body), template: read.value };
    const repo = reportedRepo(call.body.repo_info ?? null, null);
    return this.answerMade(new BeginTrail({ caller: callerOf(call), flow: call.params.flow, input, repo }));
  }

  private async putFlow(call: Call, input: FlowInput) {
    return this.answerMade(new PutFlow({ caller: callerOf(call), input }));
  }
}

function flowInput({ name, description, visibility }: FlowInput): FlowInput {
  return { name, description: description ?? undefined, visibility: visibility ?? undefined };
}

/** Returns the commit of an artifact. In the legacy form it is the commit of `commits_list` with the artifact's SHA-1. */
function commitOf({ git_commit_info, commits_list, git_commit }: ArtifactPostInput): CommitInfo | null {
  const described = git_commit_info?.sha1;
  if (git_commit != null && described !== undefined && described !== git_commit) {
    const differ = `git_commit is ${git_commit}, and git_commit_info.sha1 is ${described}. Send the commit that was built in both`;
    throw new RefusalError({ kind: 'invalid', errors: { 'git_commit_info.sha1': differ } });
  }
  const commit: CommitInput | undefined = git_commit_info ?? commits_list?.find(({ sha1 }) => sha1 === git_commit);
  return commit === undefined ? null : commitInfoOf(commit);
}

/** Returns the details that were sent beyond the provenance. It returns an empty object if there are none. */
function detailsOf(body: ArtifactPostInput): { readonly details?: ArtifactDetails } {
  const { description, template, is_compliant, user_data } = body;
  const details: ArtifactDetails = {
    ...(description ? { description } : {}),
    ...(template == null ? {} : { template: [template].flat() }),
    ...(is_compliant == null ? {} : { isCompliant: is_compliant }),
    ...(user_data == null ? {} : { userData: user_data }),
  };
  return Object.keys(details).length === 0 ? {} : { details };
}

/** Returns the fields of a trail that were sent. */
function trailInput(body: TrailPutInput): Omit<TrailInput, 'repo'> {
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
