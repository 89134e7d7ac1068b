export { type EmbeddedEngines, openEmbedded } from './open-embedded';
export type { Backup, EmbeddedOptions } from './open-embedded';
export type { WaitingWrites } from './write-queue';
