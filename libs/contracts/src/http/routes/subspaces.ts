/** Paths of public documents that are also served below the base URL of the API. */
export const BELOW_TOO: readonly string[] = ['/schemas/flow-template/v1'];
