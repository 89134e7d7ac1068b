import { shardCommands } from './shard-keys';

/** The program of `npm run shard-commands -- DATABASE`. */
const [database, ...more] = process.argv.slice(2);
if (database === undefined || more.length > 0) {
  process.stderr.write('shard-commands takes the name of a database, such as assurance.\n');
  process.exitCode = 1;
} else process.stdout.write(`${shardCommands(database)}\n`);
