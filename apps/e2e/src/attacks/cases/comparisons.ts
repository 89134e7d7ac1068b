import type { Attack } from '../attack';
import { largeEnvironment } from '../large-environment';
import { OTHERS, readAtOnce } from '../readers';

const AT_ONCE = 48;

/** With a heap of 1 GiB, 48 of them once ended the process. */
export const attack: Attack = {
  name: `${AT_ONCE} clients compare snapshots of 20,000 artifacts`,
  prepare: async (target) => {
    const env = await largeEnvironment(target);
    const pairs = [1, 2, 3, 4].flatMap((left) => [1, 2, 3, 4].map((right) => [left, right] as const));
    const paths = pairs.flatMap(([left, right]) => [
      `/env-diff/acme?snappish1=${env}%23${left}&snappish2=${env}%23${right}`,
      `/compare/acme?from=${env}%23${left}&to=${env}%23${right}`,
    ]);
    return { probe: OTHERS, run: () => readAtOnce(target, { paths, slow: AT_ONCE, fast: 4 }) };
  },
};
