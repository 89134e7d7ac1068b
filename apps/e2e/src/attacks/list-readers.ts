import { keyOf, type Role } from '../support/declared';
import { artifact, digest, flowForm, fresh } from '../support/samples';
import type { Target } from './attack';

/** For how long readers read (milliseconds). */
const READ_MS = 4_000;
/** How many requests prepare an attack at the same time. */
const ABREAST = 32;

/**
 * Reads one path from many connections. Each connection sends its next request when it has its answer.
 *
 * @param path from the root
 * @param role whose key they use; null: none
 * @param status the status of an answer that tells a reader beyond its share to wait
 * @throws Error unless some are answered, and all others told to wait
 */
export async function readBy(
  { url }: Target,
  connections: number,
  path: string,
  role: Role | null,
  status = 429,
): Promise<void> {
  const headers: Record<string, string> = role === null ? {} : { authorization: `Bearer ${keyOf(role)}` };
  const end = Date.now() + READ_MS;
  let answered = 0;
  const reader = async () => {
    while (Date.now() < end) {
      const answer = await fetch(url + path, { headers });
      await answer.arrayBuffer();
      if (answer.status === 200) answered += 1;
      else if (answer.status !== status) throw new Error(`${path} was answered ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, reader));
  if (answered === 0) throw new Error(`no reader of ${path} was answered`);
}

/** Gives the attacking organization so many flows, each with a trail and an artifact. */
export async function makeFlows({ as }: Target, count: number): Promise<void> {
  const member = as('member');
  await inParallel(count, async () => {
    const name = fresh('flow');
    await member.expect(201, 'PUT', '/flows/acme/template_file', { form: flowForm({ name, description: '' }) });
    await member.expect(201, 'POST', `/artifacts/acme/${name}`, { json: artifact(digest(`reader ${name}`)) });
  });
}

/** Gives the attacking organization so many environments. */
export async function makeEnvironments({ as }: Target, count: number): Promise<void> {
  const member = as('member');
  await inParallel(count, async () => {
    const json = { name: fresh('env'), type: 'docker', description: 'd'.repeat(200) };
    await member.expect(201, 'PUT', '/environments/acme', { json });
  });
}

async function inParallel(count: number, make: () => Promise<void>): Promise<void> {
  let left = count;
  const maker = async () => {
    while (left > 0) {
      left -= 1;
      await make();
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, maker));
}
