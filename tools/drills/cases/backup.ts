import { join } from 'node:path';
import { first } from '../../common/api.ts';
import { Instance } from '../../common/instance.ts';
import { operate, rolesOf, type Stage } from '../../common/stage.ts';
import { attach, type Attached, keptFiles, makeFlow } from '../attachments.ts';
import { audit } from '../audit.ts';
import { Drill } from '../drill.ts';

/**
 * Backs up the data folder while clients report and attach files, starts a service on the copy, and checks that it has everything that was
 * acknowledged before the backup began.
 */
export async function backedUp(drill: Drill): Promise<string> {
  const { stage } = drill;
  const service = first(stage.ingestion);
  await makeFlow(drill);
  const told: string[] = [];
  const files: Attached = new Map();
  for (let i = 1; i <= drill.size.times; i += 1) {
    await Promise.all([drill.more(40), attach(drill, files)]);
    const before = new Map([...drill.acknowledged].map(([name, fingerprints]) => [name, [...fingerprints]]));
    const [count, attached] = [drill.count, new Map(files)];
    const to = join(stage.folder, `backup-${i}`);
    let over = false;
    const attaching = (async () => {
      while (!over) await attach(drill, files, 1);
    })();
    await drill.during(operate(service, 'backup', to));
    over = true;
    const meanwhile = drill.count - count;
    await attaching;
    await drill.more(5);
    // As after the loss of a machine.
    const copy = new Instance('standalone', stage.folder, { ...stage.env, ASSURANCE_DATA_DIR: to });
    await copy.start();
    try {
      const restored = { ...stage, ...rolesOf(copy) };
      const { found, doubled, lost } = await audit(seenBy(drill, restored), before, 0);
      drill.expect(doubled === 0, `${doubled} deployments are there twice in the backup`);
      drill.expect(lost === 0, `the backup lacks ${lost} reports`);
      const kept = await keptFiles(drill, restored, attached);
      await operate(copy, 'verify').catch((fault: unknown) => drill.expect(false, `verify of the backup: ${fault}`));
      told.push(`${found} reports and ${kept} files, ${meanwhile} more acknowledged meanwhile`);
    } finally {
      await copy.stop();
    }
  }
  return `restored ${told.join('; ')}`;
}

/** A view of another stage that tells this drill what is wrong. */
function seenBy(drill: Drill, stage: Stage): Drill {
  const other = new Drill(stage, drill.size);
  for (const [name, fingerprints] of drill.acknowledged) other.acknowledged.set(name, fingerprints);
  return Object.assign(other, { wrong: drill.wrong });
}
