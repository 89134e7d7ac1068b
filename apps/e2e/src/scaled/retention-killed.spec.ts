import * as os from 'node:os';
import { NO_ORGANIZATION } from '@assurance/contracts/events/streams';
import { MongoClient } from 'mongodb';
import { droppedDespiteKills } from '../support/dropping';
import { Place } from '../support/process';
import { servers } from '../support/servers';

describe('an ingestion that is killed while it removes what retention dropped', () => {
  const settings: Record<string, string> = { ...servers(), ASSURANCE_PUBLIC_URL: 'http://localhost:1' };
  const client = new MongoClient(settings['MONGODB_URL'] ?? '', { runtimeAdapters: { os } });
  let place: Place;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());
  afterAll(() => client.close());

  /** Of the organization; signed checkpoints have data of their own. A removal ends with the chunks. */
  const payloads = () =>
    client
      .db()
      .collection<{ _id: string }>('data_chunks')
      .countDocuments({ _id: { $not: new RegExp(`/${NO_ORGANIZATION}$`) } });
  const files = () => client.db().collection('blobs.files').countDocuments();

  it('goes on where it was killed, drops all that it should and nothing that is held, and verify passes', async () => {
    // Kafka lets the next process begin when the session of the killed one has ended, after 10 s.
    await droppedDespiteKills(place, { app: 'ingestion', settings, kills: 1 }, { payloads, files });
  }, 150_000);
});
