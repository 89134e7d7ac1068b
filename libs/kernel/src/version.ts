/** The release of this code; `npm run release` refuses another one. */
export const VERSION = '0.1.0';
