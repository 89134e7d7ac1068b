import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { follow } from '../api/changes';
import { whenConnected } from '../api/connection';
import { useOrg } from '../api/session';

/** How long changes are gathered before a page asks again for what it shows: a busy organization must not keep it asking. */
const GATHER = 1_500;

/** Keeps open pages up to date: after a change all that they show is asked for again. */
export function Live() {
  const org = useOrg();
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries();
      }, GATHER);
    };
    const ends = [follow(org, changed), whenConnected(changed)];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [org, client]);
  return null;
}
