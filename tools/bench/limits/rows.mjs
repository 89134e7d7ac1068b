// The limit for services that read from the file: reads the rows of an answer by id with one statement, and parses and writes them as JSON,
// on a separate connection. Arguments: the file, and the reads as JSON: `[{sql, values}, …]`, used in turn.
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

const [file, given] = process.argv.slice(2);
const db = new DatabaseSync(file, { readOnly: true });
db.exec('PRAGMA cache_size = -32768');
const reads = JSON.parse(given).map(({ sql, values }) => ({ statement: db.prepare(sql), values }));
let turn = 0;

const server = createServer((request, response) => {
  const { statement, values } = reads[turn++ % reads.length];
  const rows = statement.all(...values).map(({ doc }) => JSON.parse(doc));
  const answer = JSON.stringify({ rows });
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
    .end(answer);
});
server.listen(0, '127.0.0.1', () => console.log(`listens on http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit(0));
