import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ask, each, insist } from '../load/ask.mjs';
import { pages } from '../load/audit.mjs';
import { LEAD_TIME, makeFlow } from '../load/clients.mjs';
import { stageOf } from '../stage/embedded.mjs';
import { Service } from '../stage/service.mjs';
import { operate, ORG } from '../stage/stage.mjs';

const FLOW = 'backed-up';
const FILE_BYTES = 20_000;
const PAGE = 50;

/**
 * Backs up the data folder while clients report and attach files, starts a service on the copy, and checks that it has everything that was
 * acknowledged before the backup began.
 */
export async function backedUp({ stage, clients, times, expect }) {
  const { ledger } = clients;
  const onTry = (answer) => ledger.answered(answer);
  await makeFlow(stage, FLOW, onTry);
  const evidence = attaching(stage, onTry);
  const told = [];
  for (let i = 1; i <= times; i += 1) {
    await clients.during(Promise.all([ledger.more(40), evidence.more(10)]));
    const [before, files] = [copyOf(ledger.acknowledged), new Map(evidence.acknowledged)];
    const count = ledger.count;
    const to = join(stage.folder, `backup-${i}`);
    await clients.during(operate(stage.ingestion[0], 'backup', to));
    const meanwhile = ledger.count - count;
    await clients.during(ledger.more(5));
    const restored = await onCopy(stage, to);
    try {
      const [reports, attached] = [await held(restored, before, expect), await heldFiles(restored, files, expect)];
      await operate(restored.ingestion[0], 'verify').catch((fault) =>
        expect(false, `verify of the backup: ${fault.stdout}${fault.stderr}`),
      );
      told.push(`${reports} reports and ${attached} files, ${meanwhile} more acknowledged meanwhile`);
    } finally {
      await restored.gateway[0].stop();
    }
  }
  await evidence.stop();
  return `restored ${told.join('; ')}`;
}

/** A client that sends one attestation after another, each with a file. */
function attaching(stage, onTry) {
  const acknowledged = new Map();
  let [over, waiting] = [false, []];
  const run = async () => {
    while (!over) {
      const content = randomBytes(FILE_BYTES);
      const trail = `build-${acknowledged.size}`;
      const form = new FormData();
      form.set('data_json', JSON.stringify({ attestation_name: 'scan', is_compliant: true }));
      form.append('attachment_file', new Blob([content]), 'scan.bin');
      await insist(stage, 'POST', `/attestations/ORG/${FLOW}/trail/${trail}/generic`, form, onTry);
      acknowledged.set(trail, createHash('sha256').update(content).digest('hex'));
      waiting = waiting.filter(({ count, done }) => count > acknowledged.size || done());
    }
  };
  const running = run();
  return {
    acknowledged,
    more: (count) => {
      const reached = new Promise((done) => waiting.push({ count: acknowledged.size + count, done }));
      return Promise.race([reached, running]);
    },
    stop: () => {
      over = true;
      return running;
    },
  };
}

/** Starts a service on a backup, as after the loss of a machine. */
async function onCopy(stage, folder) {
  const service = new Service('standalone', stage.folder, { ...stage.env, ASSURANCE_DATA_DIR: folder });
  await service.start();
  return { ...stageOf(service), keys: stage.keys };
}

/** Counts reports that exist exactly once with their provenance, in snapshots without a gap. */
async function held(restored, before, expect) {
  let found = 0;
  await each([...before], async ([environment, fingerprints]) => {
    const list = (path) => (page) => `${path}&per_page=${PAGE}&page=${page}`;
    const ever = 'start_ts=0&end_ts=9999999999';
    const deployments = await pages(restored, list(`/deployments/ORG?env_name=${environment}&${ever}`));
    const whole = deployments.filter((one) => one.lead_time >= LEAD_TIME).map((one) => one.fingerprint);
    expect(new Set(whole).size === whole.length, `${environment} has a deployment twice in the backup`);
    const snapshots = await pages(restored, list(`/snapshots/ORG/${environment}?reverse=true`));
    const gapless = snapshots.every(({ index }, i) => index === i + 1);
    expect(
      gapless && snapshots.length >= fingerprints.length,
      `the snapshots of ${environment} have a gap in the backup`,
    );
    const lost = fingerprints.filter((fingerprint) => !whole.includes(fingerprint));
    expect(lost.length === 0, `the backup of ${environment} lacks ${lost.join(', ')}`);
    found += fingerprints.length - lost.length;
  });
  return found;
}

async function heldFiles(restored, files, expect) {
  let found = 0;
  const [{ url }] = restored.gateway;
  await each([...files], async ([trail, sha256]) => {
    const path = `/attestations/ORG/${FLOW}/trail/${trail}/scan`;
    const { text } = await ask(url, restored.keys.reader, 'GET', path);
    const id = JSON.parse(text)[0]?.attestation_id;
    const evidence = await fetch(
      `${url}/api/v2${path.replace('ORG', ORG).replace(/scan$/, `attestation/${id}/evidence`)}`,
      {
        headers: { authorization: `Bearer ${restored.keys.reader}` },
      },
    );
    const tar = Buffer.from(await evidence.arrayBuffer());
    const same =
      createHash('sha256')
        .update(tar.subarray(512, 512 + FILE_BYTES))
        .digest('hex') === sha256;
    expect(same, `the backup lacks the file of ${trail}`);
    if (same) found += 1;
  });
  return found;
}

function copyOf(acknowledged) {
  return new Map([...acknowledged].map(([environment, fingerprints]) => [environment, [...fingerprints]]));
}
