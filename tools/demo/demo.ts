// Fills a running service with a small fictional shop: three services over the last 30 days. A second run adds nothing twice.
//   npm run demo -- [--url URL] [--key KEY] [--org ORG]
// URL is ASSURANCE_URL or HOST or http://localhost:8001, KEY is ASSURANCE_KEY or KEY, ORG is ASSURANCE_ORG or `admin` unless given.
// Prints progress to standard error and next steps to standard output. Exit code 1, with one sentence, if it cannot continue.
import { parseArgs } from 'node:util';
import { mustAnswer, Refused, type Service } from '../common/api.ts';
import { messageOf, stop } from '../common/command.ts';
import { fill } from './fill.ts';

const DAY = 24 * 3600;
const USAGE = 'npm run demo -- [--url URL] [--key KEY] [--org ORG]';

function options() {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ options: { url: text, key: text, org: text } }).values;
  } catch (fault) {
    return stop(`${messageOf(fault)}. ${USAGE}`);
  }
}

function input({ ASSURANCE_URL, HOST, ASSURANCE_KEY, KEY, ASSURANCE_ORG }: NodeJS.ProcessEnv): Service {
  const values = options();
  const url = values.url ?? ASSURANCE_URL ?? HOST ?? 'http://localhost:8001';
  const key = values.key ?? ASSURANCE_KEY ?? KEY;
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url)) return stop(`${url} is no URL such as http://localhost:8001.`);
  if (key === undefined || key === '')
    return stop(`No key is given: --key or KEY, such as the one that the first start printed.`);
  return { url: url.replace(/\/+$/, ''), key, org: values.org ?? ASSURANCE_ORG ?? 'admin' };
}

const next = ({ url, org }: Service) => `
Open ${url} in a browser, sign in with your key, and look at:

  ${url}/${org}
    what does not comply and why, and how often and how fast is deployed
  ${url}/${org}/environments/demo-production
    what customers meet now: version 2.10 of the web shop was never reviewed
  ${url}/${org}/environments/demo-production?tab=events
    what happened there: version 2.5 of checkout failed its tests, and went back to 2.4; a hotfix came in two hours
  ${url}/${org}/flows/demo-web
    which build has which evidence
  ${url}/${org}/flows/demo-web/trails/build-9
    all evidence of one build, a false alarm of a scan, and the audit package
  ${url}/${org}/components?component=log4j-core
    where a component runs and ran: version 2.10 of the web shop has the fixed one
  ${url}/${org}/vulnerabilities/CVE-2021-44228
    a vulnerability from its publication to the deployment that ended it in each environment
  ${url}/${org}/environments/demo-production?tab=exposure
    to how many vulnerabilities production was exposed, day by day
  ${url}/${org}/notifications
    who was to hear of it, and what became of that

Or try (KEY is your key; or read and try all routes at ${url}/api/v2/doc/):

  API=${url}/api/v2 AUTH="Authorization: Bearer $KEY"

  # what was deployed in the last 28 days, with the seconds from commit to deployment
  curl "$API/deployments/${org}" -H "$AUTH"
  # what was rolled back, and what came back after that
  curl "$API/deployments/${org}/detailed?kind=rollback&kind=redeployment&start_ts=0" -H "$AUTH"
  # what runs in production now, and where it comes from
  curl "$API/snapshots/${org}/demo-production/-1" -H "$AUTH"
  # what happened there: started, replaced, rolled back, scaled
  curl "$API/environments/${org}/demo-production/events" -H "$AUTH"
  # what staging and production have in common, and what not
  curl "$API/env-diff/${org}?snappish1=demo-production&snappish2=demo-staging" -H "$AUTH"
  # one build: what its template asks for, and what is there of it
  curl "$API/trails/${org}/demo-web/build-10" -H "$AUTH"
  # where the vulnerable log4j ran, until when, and how many artifacts have no bill of materials
  curl "$API/components/${org}?name=log4j-core&range=%3C2.17" -H "$AUTH"
  # from when to when each environment was exposed to a vulnerability
  curl "$API/vulnerabilities/${org}/CVE-2021-44228" -H "$AUTH"
  # environments with a tag
  curl "$API/environments/${org}?tag=tier:production" -H "$AUTH"
`;

const service = input(process.env);
await mustAnswer(service.url);
// The month ends with the last midnight (UTC), so that all runs of one day use the same times.
const until = Math.floor(Date.now() / 1000 / DAY) * DAY;
try {
  await fill(service, until, (text) => console.error(text));
} catch (fault) {
  if (!(fault instanceof Refused)) throw fault;
  const { status, message } = fault;
  if (status === 401) stop(`The service at ${service.url} does not know this key: give one with --key or KEY.`);
  if (status !== 403) stop(message);
  stop(
    `This key may not write to the organization ${service.org}: name another with --org, or take an administrator's key.`,
  );
}
console.log(next(service));
