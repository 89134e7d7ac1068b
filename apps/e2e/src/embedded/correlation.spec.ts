import { Installation } from '../support/installation';
import { worldOf } from '../support/world';

it('has one id in the log line of the request, in its commit, and in the log lines of consumers', async () => {
  const installation = new Installation({ ASSURANCE_LOG_LEVEL: 'debug' });
  const lines = () => installation.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  const served = await installation.start();
  const caller = (await worldOf(served)).as('member');
  const correlation = 'pipeline-7.of:monday';
  const headers = { 'x-request-id': correlation };
  await caller.expect(201, 'PUT', '/environments/acme', { json: { name: 'traced', type: 'docker' }, headers });
  await caller.refused(404, 'GET', '/environments/acme/none', { headers });
  // The list waits until the view has what its caller wrote; a consumer that stops ends its batch first.
  await caller.get('/environments/acme');
  const { commits } = await served.engines.events.scan(null, 1_000);
  const caused = commits.filter((commit) => commit.correlation === correlation);
  const made = caused.find(({ stream }) => stream.startsWith('environment/'));
  while (!lines().some(({ group, stream }) => group === 'projection' && stream === made?.stream)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await installation.clear();

  const own = lines().filter((line) => line['correlation'] === correlation);
  const requests = own.filter(({ msg }) => msg === 'request answered');
  expect(requests).toEqual([
    expect.objectContaining({ level: 20, method: 'PUT', route: 'putEnvironment', status: 201 }),
    expect.objectContaining({ level: 30, method: 'GET', route: 'getEnvironment', status: 404 }),
  ]);
  expect(requests.map(({ principal }) => principal)).toEqual([made?.actor, made?.actor]);
  expect(requests.map(({ organization }) => organization)).toEqual([made?.org, made?.org]);
  const taken = own.filter(({ msg }) => msg === 'a commit was processed');
  expect(taken).toContainEqual(expect.objectContaining({ group: 'projection', stream: made?.stream, seq: made?.seq }));
  expect(taken).toContainEqual(expect.objectContaining({ group: 'ingestion', stream: made?.stream, seq: made?.seq }));
});
