import { artifact, digest, environment, flow, flowForm, fresh, item, sha1 } from '../../support/samples';
import type { Attack } from '../attack';

const TIMES = [1.7e12, 1e15, 1e300];
const TIMES_OVER = 20;

/** Values that cannot be stored: each is answered with 400 on every route, and never with a fault of the service. */
export const attack: Attack = {
  name: 'half surrogate pairs and times that no calendar holds come in everywhere',
  prepare: async ({ as }) => {
    const member = as('member');
    const [env, flowName] = [await environment(member), await flow(member)];
    const report = `/environments/acme/${env}/report/docker`;
    const once = async () => {
      for (const seconds of TIMES) {
        const artifacts = [item({ web: digest('a') }, seconds)];
        await member.refused(400, 'PUT', report, { json: { artifacts } });
        const json = artifact(digest('b'), { git_commit_info: { sha1: sha1('b'), timestamp: seconds } });
        await member.refused(400, 'POST', `/artifacts/acme/${flowName}`, { json });
      }
      const text = `{"artifacts":[{"digests":{"a\\ud800":"${digest('a')}"},"creationTimestamp":1}]}`;
      await member.refused(400, 'PUT', report, { text });
      const yaml = 'version: 1\ntrail:\n  attestations:\n    - name: "\\udc00"\n      type: generic\n';
      const form = flowForm({ name: fresh('flow'), description: '' }, yaml);
      await member.refused(400, 'PUT', '/flows/acme/template_file', { form });
    };
    return {
      run: async () => {
        for (let i = 0; i < TIMES_OVER; i += 1) await once();
      },
    };
  },
};
