export { type EmbeddedEngines, openEmbedded } from './open-embedded';
export type { Backup, EmbeddedOptions } from './open-embedded';
export { WAITING_BYTES_MAX, type WaitingWrites } from './write-queue';
