/**
 * Sends the requests of the plan, then the history of what runs: an empty docker report, and one for each time at which something started.
 *
 * @param api a client of the service, with a key that may report the past
 * @param env name of an environment that has no snapshot yet
 * @param say is called with progress messages
 */
export async function drive(api, { flows, tags, policies, reports, customTypes, attestations, running }, env, say) {
  for (const [name, template] of flows) await api.putFlow(name, template);
  for (const [name, set] of tags) await api.tagFlow(name, set);
  for (const { name, versions } of policies) for (const text of versions) await api.putPolicy(name, text);
  say(`put ${flows.size} flows and ${policies.length} policies`);
  for (const name of customTypes) await api.postCustomType(name);
  await report(api, reports, attestations);
  say(
    `reported ${reports.length} artifacts with their trails, commits and repositories, and ${attestations.length} attestations`,
  );
  // Scaling is included: so the last snapshot has every instance.
  const description = 'Replayed from recorded answers';
  await api.putEnvironment({ name: env, type: 'docker', description, include_scaling: true });
  const names = policies.map(({ name }) => name);
  if (names.length > 0) await api.attachPolicies(env, names);
  const instances = [...running].flatMap(([fingerprint, { name, created }]) =>
    created.map((creationTimestamp) => ({ digests: { [name]: fingerprint }, creationTimestamp })),
  );
  const times = [...new Set(instances.map(({ creationTimestamp: time }) => time))].sort((a, b) => a - b);
  for (const at of [times[0] - 1, ...times]) {
    const artifacts = instances.filter(({ creationTimestamp: time }) => time <= at);
    say(`reported ${artifacts.length} instances at ${at}: ${await api.reportDocker(env, at, { artifacts })}`);
  }
}

/** Places an attestation before the artifacts that its trail reported later, and after all others. */
async function report(api, reports, attestations) {
  const left = [...attestations];
  const attest = async (wanted) => {
    for (const one of left.filter(wanted)) {
      left.splice(left.indexOf(one), 1);
      await api.attest(one);
    }
  };
  for (const { flow, at, body } of reports) {
    await attest((one) => one.flow === flow && one.trail === body.trail_name && one.at < at);
    await api.postArtifact(flow, body);
  }
  await attest(() => true);
}

/**
 * Reads the answers of the service. Both lists are read from the first recorded time on, which is in the past.
 *
 * @returns snapshot, flows by name, both lists; `repositories` each with its deployments and those that its name selects from the
 *   organization's list
 */
export async function readBack(api, { flows, trails, running }, env) {
  const start_ts = Math.min(...[...running.values()].flatMap(({ created }) => created));
  const repositories = [];
  for (const repository of await api.repositories()) {
    repositories.push({
      ...repository,
      deployments: await api.repositoryDeployments(repository.id, { start_ts, env }),
      named: await api.deployments({ start_ts, env_name: env, repo_name: repository.name }),
    });
  }
  const answers = await Promise.all([...flows.keys()].map(async (name) => [name, await api.flow(name)]));
  const told = trails.map(async ({ flow, name }) => [`${flow}/${name}`, await api.trail(flow, name)]);
  return {
    trails: new Map(await Promise.all(told)),
    snapshot: await api.latestSnapshot(env),
    flows: new Map(answers),
    deployments: await api.deployments({ start_ts, env_name: env }),
    repositories,
  };
}
