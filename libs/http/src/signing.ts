import type { Checkpointer, Signer } from '@assurance/storage-records';

/** Signs in the name of the installation: `@Inject(SIGNERS) signers: Signers`. */
export const SIGNERS = Symbol('signers');

/** Of the present secret, which alone signs, and of the previous one while it is given. */
export type Signers = readonly [Signer, ...Signer[]];

/** Signs checkpoints over what is committed: `@Inject(CHECKPOINTER) checkpointer: SignsCheckpoints | null`, null where roles of another process do. */
export const CHECKPOINTER = Symbol('checkpointer');

export type SignsCheckpoints = Pick<Checkpointer, 'sign'>;
