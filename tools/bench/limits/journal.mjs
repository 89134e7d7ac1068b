// The limit for services that store a report before they answer: a bare server that appends the bytes of a commit to a journal and syncs them.
// Reports that arrive during a sync are written as the next group, without a timer.
// Arguments: the journal's file, and the bytes of a report.
import { closeSync, fdatasync, openSync, writev } from 'node:fs';
import { createServer } from 'node:http';
import { promisify } from 'node:util';

const ANSWER = JSON.stringify('Report processed, snapshot 1 created');
const [file, bytes] = process.argv.slice(2);
const record = Buffer.alloc(Number(bytes), '.');
const journal = openSync(file, 'a');
const [append, sync] = [promisify(writev), promisify(fdatasync)];

let waiting = [];
let writing = false;

async function write() {
  writing = true;
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    await append(
      journal,
      group.map(() => record),
    );
    await sync(journal);
    for (const response of group) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length }).end(ANSWER);
    }
  }
  writing = false;
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString('utf8'));
    if (!Array.isArray(body.artifacts)) throw new Error('not a report');
    waiting.push(response);
    if (!writing) void write();
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listens on http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => {
  closeSync(journal);
  process.exit(0);
});
