import { keyOf } from './support/declared';
import { together } from './support/deployments';
import { item } from './support/samples';

const REPORT = JSON.stringify({ artifacts: [item({})] });

describe.each(together)('browsers are told, on the $name deployment,', (deployment) => {
  it.each([
    ['to come by https alone where the service is reached by https', 'https://assurance.example.com/base', true],
    ['nothing where it is reached by http', 'http://assurance.example.com', false],
    ['nothing about the name under which a machine calls itself', 'https://localhost:8001', false],
  ])('%s', async (_, publicUrl, isSecure) => {
    const running = await deployment.start({ ASSURANCE_PUBLIC_URL: publicUrl });
    const headers = { authorization: `Bearer ${keyOf('admin')}`, 'content-type': 'application/json' };
    const put = { method: 'PUT', headers, body: REPORT };
    try {
      for (const [path, init] of [
        ['/', {}],
        ['/api/v2/openapi.json', {}],
        ['/api/v2/environments/acme', { headers }],
        ['/api/v2/environments/acme', {}],
        ['/api/v2/environments/acme/none/report/docker', put],
        ['/api/v2/nothing', {}],
      ] as const) {
        const answer = await fetch(`${running.url}${path}`, init);
        await answer.arrayBuffer();
        const expected = isSecure ? 'max-age=31536000' : null;
        expect([path, answer.headers.get('strict-transport-security')]).toEqual([path, expected]);
      }
    } finally {
      await running.stop();
    }
  });
});
