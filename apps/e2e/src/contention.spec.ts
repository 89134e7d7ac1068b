import { CREATED, digest, environment, fresh, item, report } from './support/samples';
import { onEveryDeployment } from './support/world';

const CLIENTS = 32;

onEveryDeployment((world) => {
  const member = () => world().as('member');
  const clients = Array.from({ length: CLIENTS }, (_, i) => i);

  it('accepts all simultaneous reports to one environment, each with its own snapshot', async () => {
    const env = await environment(member());
    const name = fresh('web');
    const results = await Promise.all(
      clients.map((i) => report(member(), env, [item({ [name]: digest(`${env} ${i}`) })])),
    );
    expect(new Set(results)).toEqual(new Set(clients.map((i) => CREATED(i + 1))));
  });

  it('accepts all simultaneous changes of the settings of one environment', async () => {
    const env = await environment(member());
    const path = `/environments/acme/${env}`;
    const patch = (i: number) => member().send('PATCH', path, { json: { description: `of client ${i}` } });
    const answers = await Promise.all(clients.map(patch));
    expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 200));
  });
});
