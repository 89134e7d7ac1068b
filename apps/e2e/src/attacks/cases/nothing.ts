import { setTimeout } from 'node:timers/promises';
import type { Attack } from '../attack';

const LONG_MS = 500;

/** Measures the machine and the probe without an attack, as a reference. */
export const attack: Attack = {
  name: 'nobody attacks it',
  onServices: true,
  prepare: () => Promise.resolve({ run: () => setTimeout(LONG_MS) }),
};
