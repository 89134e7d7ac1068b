import { backedUp } from './cases/backup.mjs';
import { rolled } from './cases/releases.mjs';
import { kafkaAway, mongodbAway, oplogRolled, primaryKilled, serverKilled } from './cases/servers.mjs';
import { killed, relayKilled } from './cases/services.mjs';
import { policyChanged } from './cases/policy.mjs';
import { sameMoment } from './cases/same.mjs';
import { workDivided } from './cases/divided.mjs';
import { setEmbedded } from './stage/embedded.mjs';
import { previousApps } from './stage/previous.mjs';
import { setStage } from './stage/stage.mjs';

/** Installations of drills, by name: servers, services and how many of each. `how` are further options of `setStage`. */
export const STAGES = {
  pairs: (how) => setStage(1, { ...how, secured: true }),
  'three members': (how) => setStage(3, how),
  // The drill asks Kafka which member has which partition.
  fours: (how) => setStage(1, { ...how, copies: { ingestion: 4, projection: 4, 'audit-package': 1 } }),
  embedded: setEmbedded,
  'the release before': async (how) => {
    const previous = previousApps();
    const stage = await setStage(1, { ...how, secured: true, release: previous, copies: { 'audit-package': 1 } });
    return { ...stage, previous };
  },
};

/**
 * Repetitions and durations of full and short runs. `reports`: how many are acknowledged before and after each failure. A report costs 0.2 s of CPU
 * time, so clients of short runs pause between them (milliseconds).
 */
const TIMES = {
  full: { times: 5, seconds: 30, reports: 20 },
  short: { times: 1, seconds: 5, reports: 10, pause: 2_000 },
};
/** Drills that take long and run once, because a repetition shows nothing new. */
const ONCE = { full: { times: 1 } };

/**
 * All drills by their names on the command line. Each runs while clients report. `alone`: the drill has its own clients. `stage`: the drill needs
 * another stage than two instances of every service.
 */
export const CASES = {
  'ingestion-killed': { about: 'kill -9 of an ingestion', act: killed('ingestion') },
  'projection-killed': { about: 'kill -9 of a projection', act: killed('projection') },
  'relay-killed': { about: "kill -9 of the relay's holder while Kafka has its batch", act: relayKilled },
  'kafka-killed': { about: 'kill -9 of the Kafka broker, started again on its data', act: serverKilled('kafka') },
  'mongodb-killed': { about: 'kill -9 of mongod, started again on its data', act: serverKilled('mongodb') },
  'kafka-away': { about: 'Kafka answers nothing', act: kafkaAway, ...ONCE },
  'mongodb-away': { about: 'the primary of MongoDB answers nothing', act: mongodbAway, ...ONCE },
  'oplog-rolled': { about: 'the oplog is rolled over while the relay is down', act: oplogRolled, ...ONCE },
  'same-moment': {
    about: 'two clients report and attest the same artifact at the same moment',
    alone: sameMoment,
    full: { times: 1_000 },
    short: { times: 25 },
  },
  'work-divided': {
    about: 'four ingestions and four projections share the work, and one is killed',
    stage: 'fours',
    alone: workDivided,
    full: { times: 1, seconds: 30, environments: 64 },
    short: { times: 1, seconds: 1, environments: 32 },
  },
  'policy-changed': {
    about: 'a new version of a policy that many environments are held to',
    alone: policyChanged,
    full: { times: 1, seconds: 30, environments: 300, artifacts: 100, bound: 840_000 },
    short: { environments: 20, artifacts: 10, seconds: 3 },
  },
  'releases-rolled': {
    about:
      'each process is replaced by this release and then by the one before; an event of the next one meets older code',
    stage: 'the release before',
    act: rolled,
    full: { times: 3, bound: 900_000 },
    // The others stay on the previous release, so both releases run side by side.
    short: { times: 1, instances: 1, bound: 400_000, pause: 2_000 },
  },
  backup: {
    about: 'the data folder of the embedded engine is backed up, and a service started on the copy',
    stage: 'embedded',
    act: backedUp,
    // A report costs little on the embedded engine.
    short: { pause: 250 },
  },
  'primary-killed': {
    about: 'kill -9 of the primary of three',
    stage: 'three members',
    act: primaryKilled,
    full: { times: 20 },
  },
};

export function sizeOf(drill, short) {
  const kind = short ? 'short' : 'full';
  return { ...TIMES[kind], ...drill[kind] };
}
