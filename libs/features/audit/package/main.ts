import { verifyCommand } from './command';

void verifyCommand(process.argv.slice(2), {
  writeLine: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
}).then((code) => {
  process.exitCode = code;
});
