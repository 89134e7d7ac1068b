export { openEmbedded } from './open-embedded';
export type { EmbeddedOptions } from './open-embedded';
export type { WaitingWrites } from './write-queue';
