import type { Attack } from '../attack';
import { largeEnvironment } from '../large-environment';
import { OTHERS, readAtOnce } from '../readers';

const SLOW = 240;
const FAST = 12;

/** With a heap of 1 GiB, 32 of them once ended the process. */
export const attack: Attack = {
  name: `${SLOW} clients read one snapshot of 20,000 artifacts slowly, others other ones`,
  prepare: async (target) => {
    const path = `/snapshots/acme/${await largeEnvironment(target)}`;
    const others = Array.from(
      { length: 60 },
      (_, i) => `${path}/${1 + (i % 4)}?search=${'shop/web-'.slice(0, 1 + (i % 9))}`,
    );
    return {
      probe: OTHERS,
      run: async () => {
        await readAtOnce(target, { paths: [`${path}/-1`], slow: SLOW, fast: FAST });
        await readAtOnce(target, { paths: others, slow: others.length, fast: 0 });
      },
    };
  },
};
