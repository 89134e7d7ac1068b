/** The version of this code. `npm run release` refuses to release any other version. */
export const VERSION = '0.2.0';
