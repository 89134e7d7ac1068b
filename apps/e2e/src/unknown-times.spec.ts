import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { TrailAnswer } from '@assurance/contracts/flows/answers/trail';
import { artifact, digest, flow, flowForm, fresh, post, sha1 } from './support/samples';
import { onEveryDeployment } from './support/world';

/** Times that tools write for a time that they do not know: the epoch, and 1980 of reproducible builds. */
const UNKNOWN = [0, 1, 315_532_800, 946_684_799];

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const commitAt = (timestamp: number) => ({
    sha1: sha1('unknown'),
    message: 'm',
    author: 'a',
    branch: 'b',
    timestamp,
  });

  it.each([...UNKNOWN, 946_684_800, 1_700_000_000])(
    'serves a commit of the time %d as known or as 0',
    async (input) => {
      const served = UNKNOWN.includes(input) ? 0 : input;
      const [flowName, trail] = [await flow(caller()), fresh('trail')];
      await caller().expect(201, 'PUT', `/trails/acme/${flowName}`, {
        form: flowForm({ name: trail, description: '', git_commit_info: commitAt(input) }),
      });
      const fingerprint = digest(`${flowName} unknown`);
      const json = artifact(fingerprint, {
        trail_name: trail,
        git_commit: sha1('unknown'),
        git_commit_info: commitAt(input),
      });
      await post(caller(), flowName, json);
      await caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${trail}/generic`, {
        form: flowForm({ attestation_name: 'check', is_compliant: true, git_commit_info: commitAt(input) }),
      });
      const trailAnswer = await caller().get<TrailAnswer>(`/trails/acme/${flowName}/${trail}`);
      expect(trailAnswer.git_commit_info?.timestamp).toBe(served);
      const listed = await caller().get<AttestationAnswer[]>(`/attestations/acme/${flowName}/trail/${trail}/check`);
      expect(listed.map(({ git_commit_info }) => git_commit_info?.timestamp)).toEqual([served]);
    },
  );
});
