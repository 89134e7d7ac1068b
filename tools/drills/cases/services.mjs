import { setTimeout as sleep } from 'node:timers/promises';

/** How long a supervisor takes to restart a dead process (milliseconds). */
const RESTART_MS = 1_000;
/** How often services are asked for their metrics (milliseconds). */
const LOOK_MS = 200;

/** Kills an instance of a service at different moments of its work, and restarts it each time. */
export function killed(role) {
  return async ({ stage, clients, times, reports }) => {
    for (let i = 0; i < times; i += 1) {
      await clients.during(clients.ledger.more(reports));
      await sleep(Math.random() * 100);
      await dies(stage[role][i % stage[role].length]);
    }
    await clients.during(clients.ledger.more(reports));
  };
}

/** Kills the process that publishes commits while Kafka has received its batch and does not answer. */
export async function relayKilled({ stage, clients, times, reports }) {
  for (let i = 0; i < times; i += 1) {
    const holder = await holderOf(stage);
    await clients.during(clients.ledger.more(reports));
    stage.kafka.freeze();
    await clients.during(clients.ledger.more(reports));
    await holder.kill();
    stage.kafka.thaw();
    // The other process takes the lease before this one is back, so the lease changes hands each time.
    await clients.during(takenOver(stage, holder));
    await holder.start();
  }
  await clients.during(clients.ledger.more(reports));
}

async function takenOver(stage, dead) {
  for (const others = stage.ingestion.filter((one) => one !== dead); ; await sleep(LOOK_MS))
    if ((await active(others)) !== null) return;
}

async function holderOf({ ingestion }) {
  for (;;) {
    const holder = await active(ingestion);
    if (holder !== null) return holder;
    await sleep(LOOK_MS);
  }
}

async function active(services) {
  for (const one of services) if ((await one.figure('assurance_relay_active')) === 1) return one;
  return null;
}

async function dies(service) {
  await service.kill();
  await sleep(RESTART_MS);
  await service.start();
}
