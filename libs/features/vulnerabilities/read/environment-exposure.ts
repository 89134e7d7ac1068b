import { RUNS_MAX } from '@assurance/components/read/components/runs';
import type { EnvironmentExposure } from '@assurance/contracts/vulnerabilities/answers/exposure';
import { SEVERITIES } from '@assurance/contracts/vulnerabilities/events';
import type { DatedBucket } from '@assurance/deployments/read/buckets';
import { placesOf } from '@assurance/environments/domain/members';
import { findEnvironment } from '@assurance/environments/lookups/environments';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { err, ok, type Result, Slices } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ArtifactsOnDays } from './exposed-artifacts';
import { DayCounts } from './exposed-days';
import { VulnerabilitiesOnDays } from './exposed-vulnerabilities';
import { lastImportOf } from './last-import';

/** The most days of one query, added up over all members of a logical environment. */
const DAYS_MAX = 1_830;

/** Counts the vulnerabilities that an environment was exposed to on some days, and now. */
export class GetEnvironmentExposure extends queryBy<
  {
    environment: string;
    timeZone: string;
    /** Oldest first. No day begins in the future. */
    days: readonly DatedBucket[];
  },
  Result<ViewAnswer<EnvironmentExposure>, Refusal>
>() {}

@QueryHandler(GetEnvironmentExposure)
export class GetEnvironmentExposureHandler extends ReadingHandler implements IQueryHandler<GetEnvironmentExposure> {
  constructor(
    private readonly artifacts: ArtifactsOnDays,
    private readonly vulnerabilities: VulnerabilitiesOnDays,
  ) {
    super();
  }

  async execute(query: GetEnvironmentExposure): Promise<Result<ViewAnswer<EnvironmentExposure>, Refusal>> {
    const { caller, days, timeZone } = query;
    const environment = await findEnvironment(this.ports, caller.org, query.environment);
    if (!environment.ok) return environment;
    const places = placesOf(environment.value);
    if (places.length * days.length > DAYS_MAX) {
      const daysLimit = Math.floor(DAYS_MAX / places.length);
      return err(invalid(`This environment has ${places.length} members: ask for at most ${daysLimit} days at once`));
    }
    const ran = await this.artifacts.ran(caller, places, days);
    if (ran === 'too-many') {
      return err(invalid('More artifacts ran there than one answer can be made of. Ask for a shorter time'));
    }
    if ('startedTooOften' in ran) {
      const problem = `Artifact ${ran.startedTooOften} started there more than ${RUNS_MAX.ofOne} times, which is the limit. A shorter time does not help: ask for the vulnerabilities of the artifacts that run there, one by one`;
      return err({ kind: 'invalid', errors: { env: problem } });
    }
    const result = await this.vulnerabilities.of(caller, ran.value.days);
    if (result === 'too-many') {
      return err(invalid('More components ran there than one answer can be made of. Ask for a shorter time'));
    }
    const counts = new DayCounts(days.length + 1);
    const slices = new Slices();
    for (const vulnerability of result.value.marks) {
      await slices.pause();
      counts.add(SEVERITIES[vulnerability.rank - 1] ?? 'unknown', vulnerability.days);
    }
    for (const [fingerprint, bits] of ran.value.days) {
      await slices.pause();
      const { sbom: state = 'none', unmatched = null } = ran.value.states.get(fingerprint) ?? {};
      if (unmatched !== null) counts.add('unmatched_components', bits, unmatched);
      if (state === 'cut') counts.add('incomplete_sbom', bits);
      else if (state !== 'read') counts.add('without_sbom', bits);
    }
    const value: EnvironmentExposure = {
      environment: environment.value.name,
      time_zone: timeZone,
      last_import: await lastImportOf(this.ports.documents, result.value.lastImport),
      now: counts.on(days.length),
      days: days.map(({ date, from, to }, day) => ({ date, start: from, end: to, ...counts.on(day) })),
    };
    return ok({ value, behind: Math.max(ran.behind, result.behind) });
  }
}

function invalid(problem: string): Refusal {
  return { kind: 'invalid', errors: { start_ts: problem } };
}
