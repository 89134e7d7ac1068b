// Runs several commands, given as a JSON array of arrays of words, until it is asked to end or one of them ends. It kills them: of Kafka brokers
// that are asked to end at the same time, one may wait five minutes for a controller that is gone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const running = (JSON.parse(process.argv[2] ?? '[]') as string[][]).map(([command = '', ...args]) =>
  spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }),
);
const ended = running.map((each) => once(each, 'exit'));
const end = () => running.forEach((each) => each.kill('SIGKILL'));
let asked = false;
process.once('SIGTERM', () => {
  asked = true;
  end();
});
await Promise.race(ended);
end();
await Promise.all(ended);
process.exit(asked ? 0 : 1);
