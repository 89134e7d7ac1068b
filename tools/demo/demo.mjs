// Fills a running service with a small made-up shop: three services over the last 30 days. Running it again makes nothing twice.
//   npm run demo -- [--url URL] [--key KEY] [--org ORG]
// URL is ASSURANCE_URL or HOST or http://localhost:8001, KEY is ASSURANCE_KEY or KEY, ORG is ASSURANCE_ORG or `admin` unless given.
// Progress on standard error, what to try next on standard output. Exit code 1, with one sentence, when it cannot go on.
import { parseArgs } from 'node:util';
import { client, mustAnswer, Stopped } from './client.mjs';
import { fill } from './fill.mjs';

const DAY = 24 * 3600;
const USAGE = 'npm run demo -- [--url URL] [--key KEY] [--org ORG]';

function input({ env, argv }) {
  const text = { type: 'string' };
  let values;
  try {
    ({ values } = parseArgs({ args: argv.slice(2), options: { url: text, key: text, org: text } }));
  } catch (fault) {
    throw new Stopped(`${fault.message}. ${USAGE}`);
  }
  const url = values.url ?? env.ASSURANCE_URL ?? env.HOST ?? 'http://localhost:8001';
  const key = values.key ?? env.ASSURANCE_KEY ?? env.KEY;
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url))
    throw new Stopped(`${url} is no URL such as http://localhost:8001.`);
  if (key === undefined || key === '')
    throw new Stopped(`No key is given: --key or KEY, such as the one that the first start printed.`);
  return { url: url.replace(/\/+$/, ''), key, org: values.org ?? env.ASSURANCE_ORG ?? 'admin' };
}

const next = ({ url, org }) => `
Try (KEY is your key; or read and try all routes at ${url}/api/v2/doc/):

  API=${url}/api/v2 AUTH="Authorization: Bearer $KEY"

  # what was deployed in the last 28 days, with the seconds from commit to deployment
  curl "$API/deployments/${org}" -H "$AUTH"
  # what runs in production now, and where it comes from
  curl "$API/snapshots/${org}/demo-production/-1" -H "$AUTH"
  # what happened there: started, replaced, rolled back, scaled
  curl "$API/environments/${org}/demo-production/events" -H "$AUTH"
  # what staging and production have in common, and what not
  curl "$API/env-diff/${org}?snappish1=demo-production&snappish2=demo-staging" -H "$AUTH"
  # one build: what its template asks for, and what is there of it
  curl "$API/trails/${org}/demo-web/build-10" -H "$AUTH"
  # environments with a tag
  curl "$API/environments/${org}?tag=tier:production" -H "$AUTH"
`;

try {
  const service = input(process);
  await mustAnswer(service.url);
  // The month ends with the last midnight (UTC): the same on every run of a day.
  const until = Math.floor(Date.now() / 1000 / DAY) * DAY;
  await fill(client(service), until, (text) => console.error(text));
  console.log(next(service));
} catch (fault) {
  console.error(fault instanceof Stopped ? fault.message : fault);
  process.exitCode = 1;
}
