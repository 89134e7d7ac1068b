import { EXPIRED_KEY, OTHER_KEY, ROLES, userKeyOf } from './support/declared';
import { onOwnServices } from './support/world';

onOwnServices((world) => {
  const user = (role: (typeof ROLES)[number]) => world().withHeader(`Bearer ${userKeyOf(role)}`);
  const DEFAULT = '/user/default-org';

  it('has no default organization until the user chooses one, and can change it', async () => {
    const reader = user('reader');
    expect(await reader.get(DEFAULT)).toEqual({ default_org_name: null });
    expect(await reader.expect(200, 'PUT', '/user/acme', { json: null })).toBe('OK');
    expect(await reader.get(DEFAULT)).toEqual({ default_org_name: 'acme' });
    await reader.expect(200, 'PUT', '/user/acme');
    await reader.expect(200, 'PUT', '/user/user-reader');
    expect(await reader.get(DEFAULT)).toEqual({ default_org_name: 'user-reader' });
    expect(await user('admin').get(DEFAULT)).toEqual({ default_org_name: null });
  });

  it('cannot be an organization of others, an unknown one, or another user’s personal one', async () => {
    for (const name of ['non-existing-org-abc123', 'other', 'user-admin', 'x'.repeat(300), '__proto__']) {
      const error = await user('member').refused(403, 'PUT', `/user/${name}`, { json: null });
      expect(error).toEqual({ message: `Access denied to /api/v2/user/${name.slice(0, 100)}` });
    }
    expect(await user('member').get(DEFAULT)).toEqual({ default_org_name: null });
  });

  it('is the only organization of a service account', async () => {
    for (const role of ROLES) {
      expect(await world().as(role).get(DEFAULT)).toEqual({ default_org_name: 'acme' });
      await world().as(role).expect(200, 'PUT', '/user/acme', { json: null });
    }
    const elsewhere = world().withHeader(`Bearer ${OTHER_KEY}`);
    expect(await elsewhere.get(DEFAULT)).toEqual({ default_org_name: 'other' });
    expect(await elsewhere.refused(403, 'PUT', '/user/acme')).toEqual({
      message: 'Access denied to /api/v2/user/acme',
    });
  });

  it('needs a key', async () => {
    for (const authorization of [null, 'Bearer wrong', `Bearer ${EXPIRED_KEY}`]) {
      await world().withHeader(authorization).refused(401, 'GET', DEFAULT);
      await world().withHeader(authorization).refused(401, 'PUT', '/user/acme');
    }
  });
});
