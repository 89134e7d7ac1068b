// Sends recorded data to the API and compares the answers with the record:
//   npm run replay -- FOLDER                                     starts a service for the run
//   npm run replay -- FOLDER --url URL --key KEY [--org ORG]     uses a running service; ORG is `admin` unless given
// KEY is an administrator's: the record is history.
// Prints results to standard output and progress to standard error. Exit code 1 on any difference, or if there is nothing to replay.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { client, Refused } from './client.mjs';
import { compare } from './compare.mjs';
import { drive, readBack } from './drive.mjs';
import { plan } from './plan.mjs';
import { line, organizationTable, repositoryTable } from './print.mjs';
import { NoRecord, readRecord } from './record.mjs';
import { startService } from './service.mjs';

const USAGE = 'npm run replay -- FOLDER [--url URL --key KEY [--org ORG]]';
const FIRST_ORG = 'admin';
const say = (text) => console.error(text);

/**
 * @param record the result of `readRecord`
 * @param {{url: string, key: string, org: string, stop: () => Promise<void>}} service
 * @returns whether everything equals the record
 */
async function replay(record, service) {
  for (const file of record.others) say(`${file} is neither a recorded trail nor a snapshot: left out`);
  const planned = plan(record);
  if (planned.running.size === 0) throw new NoRecord('The record does not say of any artifact when it ran.');
  const api = client(service);
  const env = `replayed-${Math.floor(Date.now() / 1000)}`;
  await drive(api, planned, env, say);
  const seen = await readBack(api, planned, env);
  const results = compare(record, planned, seen);

  console.log(`Deployments of the organization ${service.org}\n${organizationTable(seen.deployments)}\n`);
  for (const { name, deployments } of seen.repositories) {
    if (deployments.length > 0) console.log(`Deployments of the repository ${name}\n${repositoryTable(deployments)}\n`);
  }
  for (const result of results) console.log(line(result));
  const differ = results.filter(({ same }) => !same).length;
  console.log(`\n${results.length} comparisons, ${differ} differ`);
  return differ === 0 && results.length > 0;
}

function input() {
  const options = { url: { type: 'string' }, key: { type: 'string' }, org: { type: 'string' } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const given = [values.url, values.key].filter((value) => value !== undefined).length;
  if (positionals.length !== 1 || given === 1 || (given === 0 && values.org !== undefined)) throw new NoRecord(USAGE);
  // npm runs scripts in the repository's folder. A relative path starts at the user's folder.
  return { ...values, folder: resolve(process.env.INIT_CWD ?? '.', positionals[0]) };
}

try {
  const { folder, url, key, org = FIRST_ORG } = input();
  const record = readRecord(folder);
  say(`${record.trails.length} trails and ${record.snapshots.length} snapshots in ${folder}`);
  const service = url === undefined ? await startService() : { url, key, org, stop: async () => undefined };
  try {
    process.exitCode = (await replay(record, service)) ? 0 : 1;
  } finally {
    await service.stop();
  }
} catch (fault) {
  console.error(fault instanceof NoRecord || fault instanceof Refused ? fault.message : fault);
  process.exitCode = 1;
}
