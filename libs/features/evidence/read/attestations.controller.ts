import { Readable } from 'node:stream';
import { routes } from '@assurance/contracts/http/routes/routes';
import { patternMessage, PATTERNS } from '@assurance/contracts/http/patterns';
import { linkHeaderOf } from '@assurance/event-sourcing/projection/listing';
import { answer, type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { tarOf } from '@assurance/kernel/tar/write';
import { Controller } from '@nestjs/common';
import {
  FindAttestations,
  GetEvidence,
  ListAttestations,
  ListCommitAttestations,
  ListFlowAttestations,
  type TimeSpan,
} from './attestations';
import { COMMITS_MAX } from './attestations/find';
import { systemAttestationTypes } from './attestations/system-types';

@Controller()
export class AttestationQueriesController extends QueriesController {
  @Route(routes.listAttestations)
  async list(@RequestCall() call: CallOf<typeof routes.listAttestations>) {
    const { attestation_id: id, name, name_regex: nameRegex, is_compliant: compliant } = call.query;
    if (name !== undefined && nameRegex !== undefined) {
      const errors = { name_regex: "Input should not be given together with 'name'" };
      throw new RefusalError({ kind: 'invalid', errors });
    }
    const { flow, flow_name, type, attestation_type } = call.query;
    const selection = {
      id,
      name,
      nameRegex,
      compliant,
      time: timeSpan(call.query),
      flows: [...flow, ...(flow_name === undefined ? [] : [flow_name])],
      types: [...type, ...(attestation_type === undefined ? [] : [attestation_type])],
    };
    const query = new ListAttestations({ caller: callerOf(call), selection, page: pageRequestOf(call.query) });
    const { answers, ends } = await this.runQuery(query);
    // A link must keep the value false.
    const fixed = compliant === null ? {} : { is_compliant: String(compliant) };
    const links = ends === null ? null : this.neighbourLinks(routes.listAttestations, call, ends, fixed);
    const body = { data: answers, _links: links ?? {} };
    return answer(200, body, linkHeaderOf(links));
  }

  @Route(routes.listSystemAttestationTypes)
  systemTypes() {
    return answer(200, systemAttestationTypes());
  }

  @Route(routes.listCommitAttestations)
  async ofCommits(@RequestCall() call: CallOf<typeof routes.listCommitAttestations>) {
    const { commit_list, flow_name: flow, attestation_name: name, attestation_type: type } = call.query;
    const commits = [...new Set(commit_list)];
    const problem = commitsProblem(commits);
    if (problem !== null) throw new RefusalError({ kind: 'invalid', errors: { commit_list: problem } });
    return this.answerQuery(new ListCommitAttestations({ caller: callerOf(call), commits, flow, name, type }));
  }

  @Route(routes.listFlowAttestations)
  async ofFlow(@RequestCall() call: CallOf<typeof routes.listFlowAttestations>) {
    const { flow } = call.params;
    const page = { page: call.query.page, perPage: call.query.per_page };
    const time = timeSpan(call.query);
    return this.answerQuery(new ListFlowAttestations({ caller: callerOf(call), flow, time, page }));
  }

  @Route(routes.listTrailAttestations)
  async ofTrail(@RequestCall() call: CallOf<typeof routes.listTrailAttestations>) {
    const { flow, trail, name } = call.params;
    return this.answerQuery(new FindAttestations({ caller: callerOf(call), flow, within: { trail }, name }));
  }

  @Route(routes.listArtifactAttestations)
  async ofArtifact(@RequestCall() call: CallOf<typeof routes.listArtifactAttestations>) {
    const { flow, fingerprint, name } = call.params;
    return this.answerQuery(new FindAttestations({ caller: callerOf(call), flow, within: { fingerprint }, name }));
  }

  @Route(routes.getEvidence)
  async evidence(@RequestCall() call: CallOf<typeof routes.getEvidence>) {
    const { flow, trail, id } = call.params;
    const { files, at } = await this.runQuery(new GetEvidence({ caller: callerOf(call), flow, trail, id }));
    return answer(200, Readable.from(tarOf(files, at), { objectMode: false }), {
      'content-type': 'application/x-tar',
      'content-disposition': `attachment; filename="evidence-${id}.tar"`,
    });
  }
}

/** @throws RefusalError if the span ends before it begins */
function timeSpan({ from_timestamp: from, to_timestamp: to }: TimeQuery): TimeSpan {
  if (from !== null && to !== null && from > to) {
    const errors = { from_timestamp: "Input should not be later than 'to_timestamp'" };
    throw new RefusalError({ kind: 'invalid', errors });
  }
  return { from, to };
}

interface TimeQuery {
  readonly from_timestamp: number | null;
  readonly to_timestamp: number | null;
}

function commitsProblem(commits: readonly string[]): string | null {
  if (commits.length === 0) return 'Field required';
  if (commits.length > COMMITS_MAX) return `Input should have at most ${COMMITS_MAX} commits`;
  const odd = commits.find((commit) => !PATTERNS.gitCommit.matches(commit));
  return odd === undefined ? null : patternMessage(PATTERNS.gitCommit, odd);
}
