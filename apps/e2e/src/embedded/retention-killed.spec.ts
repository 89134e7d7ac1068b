import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { NO_ORGANIZATION } from '@assurance/contracts/events/streams';
import { droppedDespiteKills } from '../support/dropping';
import { Place } from '../support/process';

describe('a service that is killed while it removes what retention dropped', () => {
  let place: Place;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());

  /** How many are stored of the organization; signed checkpoints have data of their own. */
  function payloads(): number {
    const db = new DatabaseSync(join(place.folder, 'data/assurance.db'), { readOnly: true });
    try {
      return Number(db.prepare(`SELECT count(*) AS n FROM data WHERE org <> '${NO_ORGANIZATION}'`).get()?.['n']);
    } finally {
      db.close();
    }
  }

  function files(): number {
    const results = readdirSync(join(place.folder, 'data/blobs'), { recursive: true, withFileTypes: true });
    return results.filter((each) => each.isFile()).length;
  }

  it('goes on where it was killed, drops all that it should and nothing that is held, and verify passes', async () => {
    const settings = { ASSURANCE_DATA_DIR: join(place.folder, 'data') };
    await droppedDespiteKills(place, { app: 'standalone', settings, kills: 3 }, { payloads, files });
  }, 150_000);
});
