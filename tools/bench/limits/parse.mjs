// The upper limit for services that receive JSON with Node: a bare server that reads the body, parses it and answers. It stores nothing.
import { createServer } from 'node:http';

const ANSWER = JSON.stringify('Report processed, no new snapshot needed');

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString('utf8'));
    if (!Array.isArray(body.artifacts)) throw new Error('not a report');
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length }).end(ANSWER);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listens on http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit(0));
