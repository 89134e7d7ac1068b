import { setTimeout } from 'node:timers/promises';
import type { Attack } from '../attack';

const LONG_MS = 2_000;

/** What the machine and the probe add by themselves: to be compared with. */
export const attack: Attack = {
  name: 'nobody attacks it',
  prepare: () => Promise.resolve({ run: () => setTimeout(LONG_MS) }),
};
