import { ROLES } from '../../access/events';
import { may, type Permission, PERMISSIONS } from '../roles';
import type { Route } from '../route';
import { routes } from './routes';
import { windowOf } from './window';

const table: readonly Route[] = Object.values(routes);

describe('the route table', () => {
  it('has no method and path twice, whatever their parameters are called', () => {
    const keys = table.map(({ method, path }) => `${method} ${path.replace(/\{[a-z]+(\.\.\.)?\}/g, '{}')}`);
    expect(new Set(keys.filter((key) => key !== 'GET /api/v2/repos/{}/{}')).size).toBe(keys.length - 1);
  });

  it('names the organization in every path that needs a permission, and keeps the rest to the end', () => {
    for (const { permission, path } of table) {
      if (permission !== 'self' && permission !== 'invitation')
        expect(path.includes('{org}')).toBe(permission !== 'public');
      if (path.includes('...')) expect(path).toMatch(/\{[a-z]+\.\.\.\}$/);
    }
  });

  it('has queries on GETs and reports alone, and bodies on all others, but for those that say all by their path', () => {
    for (const { method, path, query, body } of table) {
      expect(body === undefined).toBe(
        method === 'GET' ||
          // The body names the policies to detach.
          (method === 'DELETE' && !path.endsWith('/policies')) ||
          /\/((un)?archive|test|session)$/.test(path) ||
          // This route refuses every body, whatever its form.
          path.includes('/evaluations/') ||
          (method === 'PUT' && path.startsWith('/api/v2/user/')),
      );
      if (method !== 'GET') expect(Object.keys(query)).toEqual(path.includes('/report/') ? ['observed_at'] : []);
    }
  });
});

describe('roles', () => {
  /** By role: admin, member, snapshotter, auditor, reader. */
  const matrix: Record<Permission, string> = {
    organization: 'yes no no no no',
    'organization.read': 'yes no no yes no',
    integrations: 'yes yes no no no',
    'service-accounts': 'yes yes yes no no',
    'service-accounts.read': 'yes yes yes yes no',
    record: 'yes yes no no no',
    'environment.create': 'yes yes yes no no',
    'environment.update': 'yes yes no no no',
    'environment.delete': 'yes no no no no',
    report: 'yes yes yes no no',
    notifications: 'yes yes no no no',
    'policy.delete': 'no no no no no',
    read: 'yes yes yes yes yes',
    'membership-log': 'yes no no yes no',
    'audit-log': 'yes no no yes no',
  };

  it.each(Object.keys(PERMISSIONS) as Permission[])('%s', (permission) => {
    expect(ROLES.map((role) => (may(role, permission) ? 'yes' : 'no')).join(' ')).toBe(matrix[permission]);
  });
});

describe('the window of a deployment list', () => {
  const now = 1_700_000_000_500;
  it.each([
    [null, null, { start: 1_697_580_800.5, end: 1_700_000_000.5 }],
    [null, 1_699_999_999, { start: 1_697_580_799, end: 1_699_999_999 }],
    [5, 5, { start: 5, end: 5 }],
    [5, null, { start: 5, end: 1_700_000_000.5 }],
  ])('from %s to %s', (start_ts, end_ts, value) => {
    expect(windowOf({ start_ts, end_ts }, now)).toEqual({ value });
  });

  it('that ends before it starts is an error, now included', () => {
    expect(windowOf({ start_ts: 6, end_ts: 5 }, now)).toEqual({
      errors: { start_ts: 'The window starts at 6, after its end 5' },
    });
    expect(windowOf({ start_ts: 1_800_000_000, end_ts: null }, now)).toHaveProperty('errors.start_ts');
  });
});
