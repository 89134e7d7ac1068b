/** Paths of public documents that are served below the base URL of the API, too. */
export const BELOW_TOO: readonly string[] = ['/schemas/flow-template/v1'];
