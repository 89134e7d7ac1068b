import type { Zone } from '../ui/format';

/** Converts the value of a field for date and time, such as `2026-11-02T14:05`, to epoch milliseconds; NaN if it is not complete. */
export const timeOf = (moment: string, zone: Zone): number => Date.parse(zone === 'utc' ? `${moment}Z` : moment);

/** The value of such a field for a time of the API, such as `2026-11-02T14:05`, which is UTC. */
export const momentOf = (time: string, zone: Zone): string => (zone === 'utc' ? time : localOf(new Date(`${time}Z`)));

/** Epoch milliseconds as a time of the API without zone, which is UTC. */
export const writtenOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 19);

const two = (value: number) => String(value).padStart(2, '0');

const localOf = (date: Date) =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
