import { useSyncExternalStore } from 'react';

/** A choice of the reader that the browser stores. */
export interface StoredChoice<T extends string> {
  now(): T;
  use(): T;
  choose(value: T): void;
}

/** @param values the possible values; the first is the default */
export function storedChoice<T extends string>(name: string, values: readonly [T, ...T[]]): StoredChoice<T> {
  const listeners = new Set<() => void>();
  const now = () => values.find((value) => value === localStorage.getItem(name)) ?? values[0];
  return {
    now,
    use: () =>
      useSyncExternalStore((listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      }, now),
    choose: (value) => {
      localStorage.setItem(name, value);
      listeners.forEach((tell) => tell());
    },
  };
}
