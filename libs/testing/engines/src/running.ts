import type { RunningMongo } from './start-mongo';

/** What the setup of this test run started and its teardown ends: both run in Jest's own process. */
export const running: Pick<RunningMongo, 'stop'>[] = [];
