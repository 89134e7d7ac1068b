import { DatabaseSync } from 'node:sqlite';
import { alternating } from '../measure/bodies.mjs';
import { call, makeEnvironments, reportPath } from '../measure/client.mjs';
import { bytesWritten } from '../measure/process.mjs';
import { startService } from '../measure/service.mjs';
import { spread } from '../measure/stats.mjs';

const SIZES = [10, 10_000];

/**
 * Measures what a report that changes one artifact writes: bytes of its commit, and bytes written to database and WAL with views and checkpoints.
 * Environments of both sizes change in turn.
 */
export async function growth({ rounds, changes, say }) {
  const service = await startService();
  const db = new DatabaseSync(service.file, { readOnly: true });
  try {
    await makeEnvironments(
      service,
      SIZES.map((size) => `growth-${size}`),
    );
    const bodies = new Map(SIZES.map((size) => [size, alternating(size)]));
    const states = new Map(SIZES.map((size) => [size, 0]));
    const path = (size) => reportPath(`growth-${size}`).replace('/api/v2', '');
    for (const size of SIZES) await call(service, 'PUT', path(size), bodies.get(size)[0]);
    await service.settled();
    const stored = db.prepare(
      'SELECT (SELECT sum(octet_length(body)) FROM commits) + (SELECT coalesce(sum(octet_length(bytes)), 0) FROM data_chunks) AS bytes',
    );
    const measured = [];
    for (let round = 0; round < rounds; round += 1) {
      const figures = {};
      for (const size of round % 2 === 0 ? SIZES : [...SIZES].reverse()) {
        const before = { written: bytesWritten(service.pid), stored: stored.get().bytes };
        for (let i = 0; i < changes; i += 1) {
          states.set(size, 1 - states.get(size));
          await call(service, 'PUT', path(size), bodies.get(size)[states.get(size)]);
        }
        await service.settled();
        figures[size] = {
          stored: (stored.get().bytes - before.stored) / changes,
          written: (bytesWritten(service.pid) - before.written) / changes,
        };
      }
      say(
        SIZES.map(
          (size) => `${size}: ${Math.round(figures[size].stored)} stored, ${Math.round(figures[size].written)} written`,
        ).join('; '),
      );
      measured.push(figures);
    }
    const [small, large] = SIZES;
    const of = (size, figure) => spread(measured.map((round) => round[size][figure]));
    return {
      stored: {
        small: of(small, 'stored'),
        large: of(large, 'stored'),
        ratio: spread(measured.map((r) => r[large].stored / r[small].stored)),
      },
      written: {
        small: of(small, 'written'),
        large: of(large, 'written'),
        ratio: spread(measured.map((r) => r[large].written / r[small].written)),
      },
    };
  } finally {
    db.close();
    await service.stop();
  }
}
