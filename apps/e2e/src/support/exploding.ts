import type { Caller } from './caller';
import { attach, digest, environment, item, policy, policyYaml, report } from './samples';

const ARTIFACTS = 1_000;
const RULES = 200;
const POLICIES = 2;

/** Artifacts with names of 400 characters, new ones each time. */
const longNames = (seed: string, count = ARTIFACTS) =>
  Array.from({ length: count }, (_, i) => item({ [`${'ab'.repeat(196)}${i}`]: digest(`${seed}-${i}`) }));

/** The most that can be attached of policies whose rules are matched with every name of every artifact. */
export async function explodingEnvironment(caller: Caller): Promise<{ env: string; policies: string[] }> {
  const env = await environment(caller);
  const policies: string[] = [];
  for (let i = 0; i < POLICIES; i += 1) policies.push(await explodingPolicy(caller, i));
  await attach(caller, env, ...policies);
  return { env, policies };
}

function explodingPolicy(caller: Caller, of: number): Promise<string> {
  return policy(caller, explodingYaml(of));
}

/** A policy whose rules are matched with every name of every artifact. */
export function explodingYaml(of: number): string {
  const lines = Array.from(
    { length: RULES },
    (_, i) => `    - {type: junit, if: 'matches(artifact.name, "^(a|b|ab)+:[0-9]*x${of}${i}")'}\n`,
  );
  return policyYaml(`  attestations:\n${lines.join('')}`);
}

/**
 * An environment with as many of some policies as can be attached.
 *
 * @returns `refused` is the answer to attaching one more; null when all were attached
 */
export async function attachable(caller: Caller, count: number) {
  const env = await environment(caller);
  const attached: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const json = { policy_names: [await explodingPolicy(caller, i)] };
    const answer = await caller.send('POST', `/environments/acme/${env}/policies`, { json });
    if (answer.status !== 200) return { env, attached, refused: answer };
    attached.push(...json.policy_names);
  }
  return { env, attached, refused: null };
}

/** Reports them. */
export const explode = (caller: Caller, env: string, seed: string) => report(caller, env, longNames(seed));
