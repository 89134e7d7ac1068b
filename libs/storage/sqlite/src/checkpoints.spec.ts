import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { checkpointsSuite } from '@assurance/testing/conformance/checkpoints';
import { toKey } from './key';
import { openOn, temporaryFolder } from './testing/open-temporary';

checkpointsSuite(async () => {
  const folder = await temporaryFolder();
  const engines = await openOn(folder);
  const inFile = (sql: string, ...values: (string | number)[]) => {
    const db = new DatabaseSync(join(folder, 'assurance.db'));
    try {
      db.prepare(sql).run(...values);
    } finally {
      db.close();
    }
    // Reads within one turn of the event loop see the state of the first read.
    return setImmediate();
  };
  return {
    engines,
    remove: (stream, from) => inFile('DELETE FROM commits WHERE stream = ? AND seq >= ?', toKey(stream), from),
    replace: (commit) => {
      const { stream, seq } = commit;
      const sql = 'UPDATE commits SET body = ?, hash = ? WHERE stream = ? AND seq = ?';
      return inFile(sql, JSON.stringify(commit), commitHash(commit), toKey(stream), seq);
    },
    close: async () => {
      await engines.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});
