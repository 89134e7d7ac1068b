import { programOf } from '../common/instance.ts';
import { setServers, type Stage, type StageOptions } from '../common/stage.ts';
import type { Counts } from './audit.ts';
import { bucketRestored } from './cases/bucket.ts';
import { kafkaAway, killed, mongodbAway, primaryKilled, serverKilled } from './cases/killed.ts';
import { rolled } from './cases/releases.ts';
import { mongodbRestored } from './cases/restored.ts';
import type { Drill, Size } from './drill.ts';
import { previousApps } from './previous.ts';

/** What came of a drill that has its own clients. */
export interface Outcome {
  readonly counts: Counts & { readonly caught?: number };
  readonly note?: string;
}

type Installation = 'pairs' | 'three members' | 'the release before';

/** Installations of drills: servers, services and how many of each. */
export const STAGES: Readonly<Record<Installation, (how: StageOptions) => Promise<Stage>>> = {
  pairs: (how) => setServers({ ...how, secured: true, bucket: true }),
  'three members': (how) => setServers({ ...how, members: 3 }),
  'the release before': (how) => setServers({ ...how, secured: true, program: programOf(previousApps()) }),
};

interface Case {
  /** The installation that it needs, unless that is two instances of every service. */
  readonly stage?: Installation;
  /** Whether it has its own clients; then it counts for itself. */
  readonly act: ((drill: Drill) => Promise<string | void>) | { readonly alone: (drill: Drill) => Promise<Outcome> };
  readonly full?: Partial<Size & Bound>;
  readonly short?: Partial<Size & Bound>;
}
interface Bound {
  /** The time limit of the whole (milliseconds). */
  readonly bound: number;
}

const ANY = { instances: Infinity, pause: 0 };
/** A report costs 0.2 s of CPU time, so clients of short runs pause between them. */
const SIZES = {
  full: { ...ANY, times: 5, seconds: 30, reports: 20 },
  short: { ...ANY, times: 1, seconds: 5, reports: 10, pause: 2_000 },
};
/** Drills that take long run once, because a repetition shows nothing new. */
const ONCE = { full: { times: 1 } };

/** All drills by their names on the command line. */
export const CASES: Readonly<Record<string, Case>> = {
  'ingestion-killed': { act: killed('ingestion') },
  'projection-killed': { act: killed('projection') },
  'kafka-killed': { act: serverKilled('kafka') },
  'mongodb-killed': { act: serverKilled('mongodb') },
  'kafka-away': { act: kafkaAway, ...ONCE },
  'mongodb-away': { act: mongodbAway, ...ONCE },
  'mongodb-restored': { act: { alone: mongodbRestored }, ...ONCE },
  'bucket-restored': { act: { alone: bucketRestored }, ...ONCE },
  'releases-rolled': {
    stage: 'the release before',
    act: rolled,
    full: { times: 3, bound: 900_000 },
    // The others stay on the previous release, so both releases run side by side.
    short: { instances: 1, bound: 400_000 },
  },
  'primary-killed': { stage: 'three members', act: primaryKilled, full: { times: 20 } },
};

/** The repetitions and durations of a drill; its time limit is a minute for each repetition and three more, unless it says otherwise. */
export function sizeOf(name: string, kind: 'full' | 'short'): Size & Bound {
  const size = { ...SIZES[kind], ...CASES[name]?.[kind] };
  return { bound: 180_000 + 60_000 * size.times, ...size };
}
