import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { follow } from '../api/changes';
import { whenConnected } from '../api/connection';
import { useOrg } from '../api/session';

/**
 * How long changes are collected before a page requests its content again (milliseconds). Otherwise the pages of a busy organization would send
 * requests all the time.
 */
const GATHER = 1_500;

/** Keeps open pages up to date. After a change, everything that they show is requested again. */
export function Live() {
  const org = useOrg();
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries();
      }, GATHER);
    };
    const ends = [follow(org, refresh), whenConnected(refresh)];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [org, client]);
  return null;
}
