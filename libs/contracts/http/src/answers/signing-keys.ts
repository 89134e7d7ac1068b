import { flag, list, object, oneOf, text } from '../shape';

/** The public keys with which checkpoints and packages of this installation are checked. */
export const signingKeys = object({
  keys: list(
    object({
      id: text('The id of the key: its 32 bytes as base64url.'),
      algorithm: oneOf(['Ed25519']),
      public_key: text('PEM.'),
      current: flag('Whether it signs now. Older keys signed before the installation’s secret was changed.'),
    }),
  ),
});
