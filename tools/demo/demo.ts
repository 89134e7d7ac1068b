// Starts the service with an empty temporary folder and has it make the demo of the pages: an organization `admin-demo` with the history of an
// invented shop. Ctrl-C ends it and removes the folder.
//   npm run demo
// It listens on port 8001, or on ASSURANCE_PORT. Prints a key, pages to look at, and variables for curl. Exit code 1, with one sentence, if it cannot.
import { makeDemo } from '@assurance/web/demo';
import { callApi } from '@assurance/web/requests';
import { type Child, keyOf, startService } from '../common/child.ts';
import { messageOf, stop } from '../common/command.ts';
import { temporaryFolder } from '../common/root.ts';

const ORG = 'admin-demo';

const next = (url: string, key: string) => `
Open ${url} in a browser, sign in with this API key

    ${key}

and look at:

  ${url}/${ORG}
    what does not comply and why, and how often and how fast is deployed
  ${url}/${ORG}/environments/demo-production
    what customers meet now: version 2.10 of the web shop was never reviewed
  ${url}/${ORG}/environments/demo-production?tab=events
    what happened there: version 2.5 of checkout failed its tests, and went back to 2.4; a hotfix came in two hours
  ${url}/${ORG}/flows/demo-web
    which build has which evidence
  ${url}/${ORG}/flows/demo-web/trails/build-9
    all evidence of one build, a false alarm of a scan, and the audit package
  ${url}/${ORG}/components?component=log4j-core
    where a component runs and ran: version 2.10 of the web shop has the fixed one
  ${url}/${ORG}/vulnerabilities/CVE-2021-44228
    a vulnerability from its publication to the deployment that ended it in each environment
  ${url}/${ORG}/environments/demo-production?tab=exposure
    to how many vulnerabilities production was exposed, day by day
  ${url}/${ORG}/notifications
    who was to hear of it, and what became of that

For curl, paste this into another shell:

  API=${url}/api/v2 AUTH="Authorization: Bearer ${key}"

The demo listens on ${url}
Ctrl-C ends it and removes its data.`;

const { ASSURANCE_PORT = '8001' } = process.env;
const env = {
  ASSURANCE_PORT,
  ASSURANCE_DATA_DIR: temporaryFolder('demo'),
  ASSURANCE_LOG_LEVEL: 'warn',
};
let service: Child | null = null;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void Promise.resolve(service?.stop()).then(() => process.exit()));
}
try {
  service = await startService('standalone', { env });
  const key = keyOf(service) ?? '';
  const api = { api: `${service.url}/api/v2`, headers: { authorization: `Bearer ${key}` }, org: ORG, isNew: true };
  await callApi(api, 'POST', '/organizations', { name: ORG });
  await makeDemo(api);
  console.log(next(service.url.replace('127.0.0.1', 'localhost'), key));
} catch (fault) {
  stop(`The demo could not be made: ${messageOf(fault)}`);
}
