import { MONGODB_URL } from './mongodb';
import { startMongo } from './start-mongo';
import { running } from './running';

/** Before the first spec of Jest's project `engines`: one server for the whole run, named to the specs by the environment. */
async function globalSetup(): Promise<void> {
  const mongodb = await startMongo();
  running.push(mongodb);
  process.env[MONGODB_URL] = mongodb.url;
}

export = globalSetup;
