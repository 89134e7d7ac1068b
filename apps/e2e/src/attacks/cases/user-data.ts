import { artifact, digest, flow, post } from '../../support/samples';
import type { Attack } from '../attack';

const MiB = 1024 * 1024;
const KEPT = 12;
const READS = 8;

/** JSON of empty objects, so many bytes of it. */
const objects = (bytes: number) => `[${'{},'.repeat(Math.floor(bytes / 3) - 2)}{}]`;

/** As many values as `user_data` may have. */
const MOST = `[${'{},'.repeat(9_998)}{}]`;

/** 31 MiB of `{}` in `user_data`: two uploads and eight reads once ended the process. */
export const attack: Attack = {
  name: 'user_data of 31 MiB of empty objects comes, and the most that is taken is read',
  prepare: async ({ as, url }) => {
    const member = as('member');
    const flowName = await flow(member);
    const path = `/artifacts/acme/${flowName}`;
    const large = `{"user_data":${objects(31 * MiB)}}`;
    const send = async () => {
      // A body that is too large is refused while it is sent: the connection may end before all of it is.
      const answer = await member.send('POST', path, { text: large }).catch(() => null);
      if (answer !== null && answer.status !== 413) throw new Error(`31 MiB were answered ${answer.status}`);
    };
    const keep = async (i: number) => {
      const body = artifact(digest(`${url} ${i}`), { user_data: JSON.parse(MOST) as unknown });
      await post(member, flowName, body);
    };
    const read = () => member.get(`/artifacts/acme/${flowName}/fingerprint/${digest(`${url} 0`)}`);
    return {
      run: async () => {
        await Promise.all([send(), send(), ...Array.from({ length: KEPT }, (_, i) => keep(i))]);
        await Promise.all([...Array.from({ length: READS }, read), member.get(`/artifacts/acme/${flowName}`)]);
      },
    };
  },
};
