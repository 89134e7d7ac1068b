const DAY = 24 * 3600;

/** The beginning of the day (UTC) so many days ago, in epoch seconds: the same for a whole day, so that answers can be kept. */
export const daysAgo = (days: number): number => (Math.floor(Date.now() / 1000 / DAY) - days) * DAY;

/** So many days from now, in epoch seconds. */
export const inDays = (days: number): number => Math.floor(Date.now() / 1000) + days * DAY;
