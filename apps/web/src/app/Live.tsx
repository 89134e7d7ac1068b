import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useOrg } from '../api/session';
import { follow } from '../api/changes';

/** Keeps open pages up to date: whatever the organization's changes may concern is asked for again. */
export function Live() {
  const org = useOrg();
  const client = useQueryClient();
  useEffect(() => follow(org, () => void client.invalidateQueries({ refetchType: 'active' })), [org, client]);
  return null;
}
