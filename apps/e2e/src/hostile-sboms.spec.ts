import { hostileSboms } from './support/hostile-sboms';
import { flow, sbomForm } from './support/samples';
import { onEveryDeployment } from './support/world';

/** How large the files are beside those of the attack `hostile-sboms`, which also measures how others fare. */
const SCALE = 0.01;

onEveryDeployment((world) => {
  const member = () => world().as('member');

  it.each(hostileSboms(SCALE).map(({ name, content, status }) => ({ name, content, status })))(
    'answer a bill of materials of $name with $status',
    async ({ content, status }) => {
      const path = `/attestations/acme/${await flow(member())}/trail/build-1/system`;
      await member().expect(status, 'POST', path, { form: sbomForm(content) });
    },
  );
});
