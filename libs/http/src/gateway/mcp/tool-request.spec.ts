import { routes } from '@assurance/contracts/http/routes/routes';
import { requestFor, inputSchema, pageOf } from './tool-request';
import { CHANGES, QUESTIONS, toolName } from './tools';

const question = (route: object) => {
  const result = QUESTIONS.find((candidate) => candidate.route === route);
  if (result === undefined) throw new Error('no such question');
  return result;
};
const deployments = question(routes.listDeployments);
const trail = question(routes.getTrail);

describe('the questions of assistants', () => {
  it('read, have names of their own, and take all that their route needs', () => {
    expect(new Set(QUESTIONS.map(toolName)).size).toBe(QUESTIONS.length);
    for (const question of QUESTIONS) {
      expect([toolName(question), question.route.method, question.route.media]).toEqual([
        toolName(question),
        'GET',
        undefined,
      ]);
      expect(question.route.path).not.toContain('...');
      expect(['read', 'self']).toContain(question.route.permission);
      expect(Object.keys(question.route.query)).not.toContain('contains');
      expect(toolName(question)).toMatch(/^[a-z_]{1,64}$/);
      if (question.resource === true)
        expect(Object.values(question.route.query).some(({ required }) => required)).toBe(false);
    }
  });

  it('change something only where the route lets members or administrators, and never who gets in', () => {
    const names = [...QUESTIONS, ...CHANGES].map(toolName);
    expect(new Set(names).size).toBe(names.length);
    for (const change of CHANGES) {
      expect(['record', 'environment.update', 'notifications']).toContain(change.route.permission);
      expect([toolName(change), change.route.method === 'GET', change.changes === undefined]).toEqual([
        toolName(change),
        false,
        false,
      ]);
      expect(JSON.stringify(inputSchema(change))).not.toContain('#/components');
    }
  });

  it('have the schema of the route table', () => {
    expect(inputSchema(deployments)).toMatchObject({
      required: ['org'],
      additionalProperties: false,
      properties: { org: { type: 'string' }, per_page: { type: 'integer', maximum: expect.any(Number) } },
    });
  });

  it('become requests', () => {
    const input = { org: 'acme', per_page: 5, env_name: 'a&b', start_ts: null, contains: 'web' };
    expect(requestFor(deployments, input)).toEqual({
      ok: true,
      value: { method: 'GET', url: '/api/v2/deployments/acme?per_page=5&env_name=a%26b', contains: 'web' },
    });
    const names = { org: 'a/b', flow: '../..', trail: '環境?#' };
    expect(requestFor(trail, names)).toMatchObject({
      value: { url: '/api/v2/trails/a%2Fb/..%2F../%E7%92%B0%E5%A2%83%3F%23' },
    });
    expect(pageOf(trail, names)).toBe('/a%2Fb/flows/..%2F../trails/%E7%92%B0%E5%A2%83%3F%23');
    expect(pageOf(question(routes.diffEnvironments), { org: 'acme' })).toBeNull();
  });

  it.each([
    ['a missing name', { org: 'acme', flow: 'web' }],
    ['a name that leads up', { org: 'acme', flow: '..', trail: 't' }],
    ['a name that leads nowhere', { org: 'acme', flow: '.', trail: 't' }],
    ['an empty name', { org: '', flow: 'web', trail: 't' }],
    ['a name that is none', { org: 'acme', flow: 1, trail: 't' }],
    ['an object', { org: 'acme', flow: 'web', trail: 't', page: {} }],
    ['a text to look for that is none', { org: 'acme', flow: 'web', trail: 't', contains: 1 }],
  ])('are refused with %s', (_, input) => {
    expect(requestFor(trail, input)).toMatchObject({ ok: false });
  });
});
