import type { ApiKeyAnswer, NewApiKey } from '@assurance/contracts/access/answers/access';
import { eventually } from '../support/eventually';
import { inFile, onEveryEngine } from '../support/operated';
import { digest } from '../support/samples';

const REQUESTS = 300;

onEveryEngine((operated) => {
  it('stores the last use of a key once, not with every request', async () => {
    const { world, file } = operated();
    const admin = world.as('admin');
    const path = '/service-accounts/acme/ci-reader/api-keys';
    const { id, key } = await admin.expect<NewApiKey>(201, 'POST', path, { json: { description: 'busy' } });
    const busy = world.withHeader(`Bearer ${key}`);
    for (let i = 0; i < REQUESTS; i += 50) {
      await Promise.all(Array.from({ length: 50 }, () => busy.get('/deployments/acme')));
    }
    await eventually(
      () => admin.get<ApiKeyAnswer>(`${path}/${id}`),
      (key) => key.last_used_at > 0,
    );
    const written = inFile(file, (db) => {
      const [table] = db
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%key_uses'")
        .all() as {
        name: string;
      }[];
      const rows = db.prepare(`SELECT rev FROM ${table?.name} WHERE id LIKE ?`).all(`%${digest(key)}%`) as {
        rev: number;
      }[];
      return rows.map(({ rev }) => rev);
    });
    expect(written).toHaveLength(1);
    // A minute may end meanwhile.
    expect(written[0]).toBeLessThanOrEqual(2);
  });
});
