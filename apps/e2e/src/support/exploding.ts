import { attach, digest, environment, item, policy, policyYaml, report } from './samples';
import type { Caller } from './caller';

const ARTIFACTS = 1_000;
const RULES = 200;
const POLICIES = 2;

/** Artifacts with names of 400 characters, new ones each time. */
const longNames = (seed: string, count = ARTIFACTS) =>
  Array.from({ length: count }, (_, i) => item({ [`${'ab'.repeat(196)}${i}`]: digest(`${seed}-${i}`) }));

/** The most that can be attached of policies whose rules are matched with every name of every artifact. */
export async function explodingEnvironment(caller: Caller): Promise<{ env: string; policies: string[] }> {
  const env = await environment(caller);
  const lines = (of: number) =>
    Array.from(
      { length: RULES },
      (_, i) => `    - {type: junit, if: 'matches(artifact.name, "^(a|b|ab)+:[0-9]*x${of}${i}")'}\n`,
    ).join('');
  const policies: string[] = [];
  for (let i = 0; i < POLICIES; i += 1) {
    policies.push(await policy(caller, policyYaml(`  attestations:\n${lines(i)}`)));
  }
  await attach(caller, env, ...policies);
  return { env, policies };
}

/** Reports them. */
export const explode = (caller: Caller, env: string, seed: string) => report(caller, env, longNames(seed));
