import type { FieldErrors } from '@assurance/contracts/http/params';
import { plainDigits } from '@assurance/contracts/http/patterns';
import { routes } from '@assurance/contracts/http/routes/routes';
import { readPurl } from '@assurance/evidence/domain/purl';
import { type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { input, isoOf } from '@assurance/kernel';
import { Controller } from '@nestjs/common';
import { readVersion } from '../domain/versions/compare';
import { ecosystemOf } from '../domain/versions/ecosystem';
import { BOUNDS_MAX, isOtherNotation, type Range, RANGE_LENGTH, readRange } from '../domain/versions/range';
import { FindComponents } from './components';
import type { ComponentQuestion } from './components/find';
import { CompareComponents, ListArtifactComponents, ListEnvironmentComponents } from './inventories';
import type { Period } from './located-artifacts';

@Controller()
export class ComponentsController extends QueriesController {
  @Route(routes.findComponents)
  search(@RequestCall() call: CallOf<typeof routes.findComponents>) {
    const { purl, name, version, range, environment, flow, at, from, to } = call.query;
    const question = questionOf(call.query);
    const period = periodOf(call.query);
    const page = pageRequestOf(call.query);
    const times = { at: writtenOf(at), from: writtenOf(from), to: writtenOf(to) };
    const query = { purl, name, version, range, environment, flow, ...times };
    return this.answerViewQuery(
      new FindComponents({ caller: callerOf(call), question, environment, flow, period, page, query }),
    );
  }

  @Route(routes.listArtifactComponents)
  ofArtifact(@RequestCall() call: CallOf<typeof routes.listArtifactComponents>) {
    const fingerprint = plainDigits(call.params.fingerprint);
    return this.answerViewQuery(
      new ListArtifactComponents({ caller: callerOf(call), fingerprint, page: pageRequestOf(call.query) }),
    );
  }

  @Route(routes.listEnvironmentComponents)
  ofEnvironment(@RequestCall() call: CallOf<typeof routes.listEnvironmentComponents>) {
    const { at } = call.query;
    const page = pageRequestOf(call.query);
    return this.answerViewQuery(
      new ListEnvironmentComponents({ caller: callerOf(call), environment: call.params.env, at, page }),
    );
  }

  @Route(routes.compareComponents)
  compare(@RequestCall() call: CallOf<typeof routes.compareComponents>) {
    const { snappish1, snappish2 } = call.query;
    return this.answerViewQuery(
      new CompareComponents({ caller: callerOf(call), snappish1, snappish2, page: pageRequestOf(call.query) }),
    );
  }
}

type Query = CallOf<typeof routes.findComponents>['query'];

/** @throws RefusalError */
function questionOf({ purl, name, version, range }: Query): ComponentQuestion {
  if (purl === undefined && name === undefined) refuse({ purl: "Field required, or 'name'" });
  if (purl !== undefined && name !== undefined) refuse({ name: "Input should not be given together with 'purl'" });
  if (version !== undefined && range !== undefined) {
    refuse({ range: "Input should not be given together with 'version'" });
  }
  const bounds = range === undefined ? null : rangeOf(range);
  if (purl === undefined) return { by: { name: name ?? '' }, version: version ?? null, range: bounds };
  const read = readPurl(purl);
  if (read === null) refuse({ purl: `Input should be a package URL, such as 'pkg:npm/lodash@4.17.21' ${input(purl)}` });
  if (read.version !== null && (version !== undefined || range !== undefined)) {
    const field = version === undefined ? 'range' : 'version';
    refuse({ [field]: "Input should not be given together with a 'purl' that has a version" });
  }
  if (bounds !== null) refuseOtherVersions(read.type, bounds);
  return { by: { package: read.package }, version: version ?? read.version, range: bounds };
}

/**
 * Refuses bounds that no version of a package can be compared with.
 *
 * @param type of the package URL
 * @throws RefusalError
 */
function refuseOtherVersions(type: string, range: Range): void {
  for (const { version } of range.flat()) {
    if (readVersion(ecosystemOf(type), version) === null)
      refuse({ range: `Input should have versions that can be compared for '${type}' ${input(version)}` });
  }
}

/** @throws RefusalError */
function rangeOf(text: string): Range {
  const range = readRange(text);
  if (range === undefined) {
    refuse({ range: `Input should be a range of versions, such as '>=2,<2.17' ${input(text)}` });
  }
  if (range === 'too-long') {
    const size = `has ${text.length} characters, more than the limit of ${RANGE_LENGTH}`;
    refuse({ range: `Input ${size}. Ask for parts of the range one after the other` });
  }
  if (range === 'too-many-bounds') {
    refuse({ range: `Input should have at most ${BOUNDS_MAX} bounds. Ask for parts of the range one after the other` });
  }
  if (isOtherNotation(range)) {
    refuse({ range: `Input should have bounds such as '>=2,<2.17', without brackets and wildcards ${input(text)}` });
  }
  return range;
}

/** @throws RefusalError */
function periodOf({ at, from, to }: Query): Period | null {
  if (at !== null && (from !== null || to !== null)) {
    refuse({ at: "Input should not be given together with 'from' or 'to'" });
  }
  if (from !== null && to !== null && from > to) refuse({ to: "Input should not be before 'from'" });
  if (at !== null) return { from: at * 1_000, to: at * 1_000 };
  return from === null && to === null
    ? null
    : { from: from === null ? null : from * 1_000, to: to === null ? null : to * 1_000 };
}

/** A time as queries have it. @param at epoch seconds */
const writtenOf = (at: number | null) => (at === null ? null : isoOf(at * 1_000));

function refuse(errors: FieldErrors): never {
  throw new RefusalError({ kind: 'invalid', errors });
}
