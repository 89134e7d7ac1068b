// The limit of whatever reads from the file: the rows of an answer by their ids, in one statement, parsed and written as JSON again,
// on a connection of its own. Arguments: the file, and the answers' reads as JSON: `[{sql, values}, …]`, taken in turns.
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
