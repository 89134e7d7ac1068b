import { may, type Permission } from '@assurance/contracts/http/roles';
import type { Route } from '@assurance/contracts/http/route';
import { EXPIRED_KEY, keyOf, OTHER_KEY, ROLES, userKeyOf } from './support/declared';
import { everyRoute as all, pathOf } from './support/every-route';
import { onOwnServices } from './support/world';

/** The permissions that routes of the API need. */
const ALLOWED: Partial<Record<Permission, readonly string[]>> = {
  read: ['admin', 'member', 'snapshotter', 'auditor', 'reader'],
  record: ['admin', 'member'],
  report: ['admin', 'member', 'snapshotter'],
  'environment.create': ['admin', 'member', 'snapshotter'],
  'environment.update': ['admin', 'member'],
  'service-accounts': ['admin', 'member', 'snapshotter'],
  'service-accounts.read': ['admin', 'member', 'snapshotter', 'auditor'],
  'membership-log': ['admin', 'auditor'],
  'audit-log': ['admin', 'auditor'],
  organization: ['admin'],
  'organization.read': ['admin', 'auditor'],
  notifications: ['admin', 'member'],
};
/** Routes that refuse every request. */
const NOT_HERE: ReadonlySet<string> = new Set(['postEvaluation', 'getEvaluation']);
/** The body is malformed on purpose: a permitted caller gets 400, and nothing is written. */
const BROKEN = { text: '{', headers: { 'content-type': 'application/json' } };

/** Every route is called with wrong keys, all from one address. */
const SETTINGS = { ASSURANCE_MAX_WRONG_KEYS_PER_MINUTE: '0' };

onOwnServices((world) => {
  // Routes about the caller alone name no organization; another spec covers them.
  const guarded = all.filter(({ permission }) => !['public', 'self', 'invitation'].includes(permission));
  const cases = guarded.map((route) => [route.id, route] as const);
  const send = (route: Route, authorization: string | null) =>
    world()
      .withHeader(authorization)
      .send(route.method, pathOf(route), route.method === 'GET' ? {} : BROKEN);

  it('documents exactly the routes of the table', () => {
    expect(world().contract.operations).toEqual(all.map(({ id }) => id).sort());
  });

  it('requires a key except for health and description', () => {
    const open = all.filter(({ permission }) => permission === 'public').map(({ id }) => id);
    expect(open.sort()).toEqual([
      'doc',
      'docHome',
      'environmentPolicySchema',
      'flowTemplateSchema',
      'getSignIn',
      'live',
      'openapi',
      'policySchema',
      'ready',
      'signingKeys',
    ]);
  });

  it.each([
    '/live',
    '/ready',
    '/schemas/flow-template/v1',
    '/schemas/policy/v1',
    '/api/v2/schemas/environment-policy/v1',
  ])('answers %s as documented, outside of the API too', async (path) => {
    expect((await world().withHeader(null).sendRaw('GET', path)).status).toBe(200);
    expect((await world().withHeader(null).sendRaw('GET', `${path}?odd=1`)).body).toEqual({
      message: expect.stringMatching(/^Input payload validation failed: /),
      errors: { odd: 'Unknown parameter. The route takes none' },
    });
  });

  it.each(cases)('%s admits exactly the permitted roles', async (_, route) => {
    const { permission } = route;
    if (permission === 'public' || permission === 'self' || permission === 'invitation' || permission === 'gateway') {
      throw new Error('a guarded route');
    }
    const allowed = ALLOWED[permission];
    expect(allowed).toBeDefined();
    for (const role of ROLES) {
      for (const key of [keyOf(role), userKeyOf(role)]) {
        const { status, body } = await send(route, `Bearer ${key}`);
        expect(may(role, permission)).toBe(allowed?.includes(role));
        if (allowed?.includes(role) && NOT_HERE.has(route.id)) {
          expect([status, body]).toEqual([403, { message: 'Server-side evaluation is not enabled' }]);
        } else if (allowed?.includes(role)) {
          expect([200, 400, 404, 415]).toContain(status);
        } else {
          expect([status, body]).toEqual([403, { message: "You don't have permission to access this resource" }]);
        }
      }
    }
  });

  it.each(cases)(
    '%s refuses callers without a key, with a wrong key, or with a key of another organization',
    async (_, route) => {
      for (const authorization of [null, 'Bearer wrong', `Bearer ${EXPIRED_KEY}`, 'Basic Og==']) {
        expect((await send(route, authorization)).status).toBe(401);
      }
      expect((await send(route, `Bearer ${OTHER_KEY}`)).status).toBe(403);
    },
  );
}, SETTINGS);
