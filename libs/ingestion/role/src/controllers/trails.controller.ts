import type { FlowTemplate } from '@assurance/contracts-events';
import { routes, type TrailPutInput } from '@assurance/contracts-http';
import { answer, type CallFile, type CallOf, RefusalError, Route, TheCall, unwrap } from '@assurance/http';
import { type BeginTrail as TrailInput, givenRepo } from '@assurance/ingestion-domain';
import { readTemplate } from '@assurance/ingestion-templates';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { BeginTrail } from '../commands/begin-trail';
import { commitInfoOf } from '../commit-info';

@Controller()
export class TrailsController {
  constructor(private readonly commands: CommandBus) {}

  @Route(routes.putTrail)
  async put(@TheCall() call: CallOf<typeof routes.putTrail>) {
    const file = call.files['template_file'];
    const input = { ...given(call.body), ...(file === undefined ? {} : { template: templateOf(file) }) };
    const repo = givenRepo(call.body.repo_info ?? null, null);
    const done = await this.commands.execute(new BeginTrail(callerOf(call), call.params.flow, input, repo));
    return answer(unwrap(done) === 'made' ? 201 : 200, 'OK');
  }
}

/** What was sent, without what was left out. */
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

/** A trail's template says what is wrong with it in its own words (WIRE 8.1, 27). */
function templateOf({ content }: CallFile): FlowTemplate {
  const read = readTemplate(content);
  if (read.ok) return read.value;
  throw new RefusalError({ kind: 'template-invalid', errors: read.refusal });
}
