/** Keeps open pages up to date. */
export const Live = () => null;
