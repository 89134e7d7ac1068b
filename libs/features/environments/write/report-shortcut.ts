import { Register } from '@assurance/access/write/register';
import type { EnvironmentType } from '@assurance/contracts/environments/events';
import type { QueryFor, Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { type Answer, answer, type Shortcut, type UnparsedCall } from '@assurance/http';
import { Injectable } from '@nestjs/common';
import { Activity } from './activity';
import { Environments } from './environments';
import { ReportDigestCache } from './report-digest-cache';
import { digestKindOf, isUnchanged, type UnloadedEnvironment } from './unchanged';

/** By route: the type of environment whose reports it takes. */
const TYPES: ReadonlyMap<Route, EnvironmentType> = new Map(
  Object.values(routes).flatMap((route) =>
    'environmentType' in route ? [[route, route.environmentType] as const] : [],
  ),
);

/** @param snapshot the index of the snapshot that a report made, null when it made none */
export function reportAnswer(snapshot: number | null): Answer {
  return answer(
    200,
    snapshot === null ? 'Report processed, no new snapshot needed' : `Report processed, snapshot ${snapshot} created`,
  );
}

/** Answers a report whose bytes were accepted before, if the environment still runs the same. All other reports are parsed and handled as commands. */
@Injectable()
export class ReportShortcut implements Shortcut {
  readonly routes = [...TYPES.keys()];

  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly environments: Environments,
    private readonly activity: Activity,
    private readonly digestCache: ReportDigestCache,
  ) {}

  async answer({ route, org, params, query, bodyDigest: body }: UnparsedCall): Promise<Answer | null> {
    // Whether a report may name its time depends on the reports before it.
    if ((query as QueryFor<typeof routes.reportDocker>).observed_at !== null) return null;
    const type = TYPES.get(route);
    const digests = type === undefined ? undefined : this.digestCache.of(type, body);
    if (type === undefined || digests === undefined || params.env === undefined) return null;
    const repeatsState = (loaded: UnloadedEnvironment | null) => {
      const digest = loaded === null ? undefined : digests[digestKindOf(loaded.environment)];
      return loaded !== null && digest !== undefined && isUnchanged(loaded, type, digest);
    };
    const cachedEnvironment = this.environments.getCached(org.id, params.env);
    if (cachedEnvironment !== null && !repeatsState(cachedEnvironment.state)) return null;
    const namedEnvironment = await this.environments.byName(this.register, org.id, params.env);
    if (namedEnvironment === null || namedEnvironment.state === null || !repeatsState(namedEnvironment.state))
      return null;
    const at = this.streams.sources.now();
    await this.activity.noteUnchanged(namedEnvironment.state.environment, at, at);
    return reportAnswer(null);
  }
}
