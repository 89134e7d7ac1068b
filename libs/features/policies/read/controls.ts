import { actorsOf } from '@assurance/access/lookups/actors';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { TagChoice } from '@assurance/contracts/http/answers/common';
import type {
  ControlAnswer,
  ControlCoverageAnswer,
  ControlPage,
  ControlVersionAnswer,
  ControlVersionPage,
  DecisionPage,
} from '@assurance/contracts/policies/answers/control';
import { pageFields, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import { AttestationAnswers } from '@assurance/evidence/read/attestations';
import { attestationById } from '@assurance/evidence/read/attestations/find';
import type { Refusal } from '@assurance/http';
import { type ListedPage, queryBy, ReadingHandler } from '@assurance/http/queries';
import { err, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler, type QueryResult } from '@nestjs/cqrs';
import { controlAnswer, controlWithPolicies, policiesByControl } from '../lookups/control-answer';
import { findControl } from '../lookups/policies';
import { controlCoverage, type CoverageFilter } from './controls/coverage';
import { type DecisionFilter, listDecisions } from './controls/decisions';
import { type ControlFilter, listControls, tagsOfControls } from './controls/list';
import { controlVersionAnswer, controlVersions } from './controls/versions';

/** One page of controls. */
export class ListControls extends queryBy<
  { filter: Omit<ControlFilter, 'org'>; page: PageRequest; direction: 'asc' | 'desc' },
  ListedPage<ControlPage>
>() {}

@QueryHandler(ListControls)
export class ListControlsHandler extends ReadingHandler implements IQueryHandler<ListControls> {
  async execute({ caller: { org }, filter, page, direction }: ListControls): Promise<ListedPage<ControlPage>> {
    const { documents } = this.ports;
    const { controls, count, ...ends } = await listControls(documents, { ...filter, org: org.id }, page, direction);
    const policies = await policiesByControl(documents, org.id);
    const nameOf = actorsOf(documents);
    const answers = await Promise.all(controls.map((control) => controlAnswer(nameOf, control, policies)));
    return { body: { ...pageFields(page, count), controls: answers }, ends };
  }
}

/** One control. */
export class GetControl extends queryBy<{ identifier: string }, Result<ControlAnswer, Refusal>>() {}

@QueryHandler(GetControl)
export class GetControlHandler extends ReadingHandler implements IQueryHandler<GetControl> {
  async execute({ caller: { org }, identifier }: GetControl): Promise<Result<ControlAnswer, Refusal>> {
    const result = await findControl(this.ports, org, identifier);
    return result.ok ? ok(await controlWithPolicies(this.ports.documents, result.value)) : result;
  }
}

/** The tags that controls of an organization have. */
export class ListControlTags extends queryBy<object, readonly TagChoice[]>() {}

@QueryHandler(ListControlTags)
export class ListControlTagsHandler extends ReadingHandler implements IQueryHandler<ListControlTags> {
  async execute({ caller: { org } }: ListControlTags): Promise<readonly TagChoice[]> {
    return tagsOfControls(this.ports.documents, org.id);
  }
}

/** The environments that require a control. */
export class GetControlCoverage extends queryBy<
  { identifier: string; filter: Omit<CoverageFilter, 'org'>; page: PageRequest },
  Result<ControlCoverageAnswer, Refusal>
>() {}

@QueryHandler(GetControlCoverage)
export class GetControlCoverageHandler extends ReadingHandler implements IQueryHandler<GetControlCoverage> {
  async execute({ caller: { org }, identifier, filter, page }: GetControlCoverage) {
    const result = await findControl(this.ports, org, identifier);
    if (!result.ok) return result;
    const policies = (await policiesByControl(this.ports.documents, org.id)).get(identifier) ?? [];
    return ok(await controlCoverage(this.ports.documents, { ...filter, org: org.id }, policies, page));
  }
}

/** One page of the versions of a control, by their numbers. */
export class ListControlVersions extends queryBy<
  { identifier: string; page: PageRequest; direction: 'asc' | 'desc' },
  Result<ControlVersionPage, Refusal>
>() {}

@QueryHandler(ListControlVersions)
export class ListControlVersionsHandler extends ReadingHandler implements IQueryHandler<ListControlVersions> {
  async execute({ caller: { org }, identifier, page, direction }: ListControlVersions) {
    const result = await findControl(this.ports, org, identifier);
    if (!result.ok) return result;
    const { id, version: count } = result.value;
    const skip = (page.page - 1) * page.perPage;
    const [first, last] =
      direction === 'asc' ? [skip + 1, skip + page.perPage] : [count - skip - page.perPage + 1, count - skip];
    const versions = last < 1 || first > count ? [] : await controlVersions(this.ports.events, id, first, last);
    const nameOf = actorsOf(this.ports.documents);
    const answers = await Promise.all(
      versions.map(async (version) => controlVersionAnswer(version, await nameOf(version.by))),
    );
    return ok({ ...pageFields(page, count), versions: direction === 'asc' ? answers : answers.reverse() });
  }
}

/** One version of a control. */
export class GetControlVersion extends queryBy<
  { identifier: string; number: string },
  Result<ControlVersionAnswer, Refusal>
>() {}

@QueryHandler(GetControlVersion)
export class GetControlVersionHandler extends ReadingHandler implements IQueryHandler<GetControlVersion> {
  async execute({ caller: { org }, identifier, number }: GetControlVersion): Promise<QueryResult<GetControlVersion>> {
    const result = await findControl(this.ports, org, identifier);
    if (!result.ok) return result;
    const version = /^[1-9][0-9]{0,8}$/.test(number) ? Number(number) : 0;
    const { id, version: newest } = result.value;
    const [controlVersion] =
      version < 1 || version > newest ? [] : await controlVersions(this.ports.events, id, version, version);
    if (controlVersion === undefined)
      return err({ kind: 'control-version-unknown', org: org.name, identifier, version: number });
    return ok(controlVersionAnswer(controlVersion, await actorsOf(this.ports.documents)(controlVersion.by)));
  }
}

/** One page of the decisions on a control. */
export class ListControlDecisions extends queryBy<
  { identifier: string; filter: DecisionFilter; page: PageRequest; direction: 'asc' | 'desc' },
  Result<ListedPage<DecisionPage>, Refusal>
>() {}

@QueryHandler(ListControlDecisions)
export class ListControlDecisionsHandler extends ReadingHandler implements IQueryHandler<ListControlDecisions> {
  constructor(private readonly answers: AttestationAnswers) {
    super();
  }

  async execute({ caller, identifier, filter, page, direction }: ListControlDecisions) {
    const result = await findControl(this.ports, caller.org, identifier);
    if (!result.ok) return result;
    const { documents } = this.ports;
    const {
      documents: rows,
      count,
      ...ends
    } = await listDecisions(documents, caller.org.id, identifier, filter, page, direction);
    const listed = rows.map(({ doc }) => doc);
    const decisions = await this.answers.of(caller, listed, 'listed');
    return ok({ body: { ...pageFields(page, count), decisions }, ends });
  }
}

/** One decision on a control, by the id of its attestation. */
export class GetControlDecision extends queryBy<
  { identifier: string; id: string },
  Result<AttestationAnswer, Refusal>
>() {}

@QueryHandler(GetControlDecision)
export class GetControlDecisionHandler extends ReadingHandler implements IQueryHandler<GetControlDecision> {
  constructor(private readonly answers: AttestationAnswers) {
    super();
  }

  async execute({ caller, identifier, id }: GetControlDecision): Promise<Result<AttestationAnswer, Refusal>> {
    const result = await findControl(this.ports, caller.org, identifier);
    if (!result.ok) return result;
    const attestation = await attestationById(this.ports.documents, caller.org.id, id);
    const [answer] =
      attestation?.control?.identifier === identifier ? await this.answers.of(caller, [attestation], 'whole') : [];
    return answer === undefined ? err({ kind: 'decision-unknown', identifier, id }) : ok(answer);
  }
}
