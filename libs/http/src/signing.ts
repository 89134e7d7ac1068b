import type { Signer } from '@assurance/storage-records';

/** Signs in the name of the installation: `@Inject(SIGNERS) signers: Signers`. */
export const SIGNERS = Symbol('signers');

/** Of the present secret, which alone signs, and of the previous one while it is given. */
export type Signers = readonly [Signer, ...Signer[]];
