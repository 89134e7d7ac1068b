/** A request failed. */
export class Refused extends Error {}

/**
 * Calls the API for one organization. Every call resolves to the answer's JSON.
 *
 * @param {{url: string, key: string, org: string}} service `url` without `/api/v2`
 */
export function client({ url, key, org }) {
  const base = `${url.replace(/\/+$/, '')}/api/v2`;
  const part = encodeURIComponent;

  async function call(method, path, body, headers = {}) {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      body,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Refused(`${method} ${path} was answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  }

  const json = (method, path, body) => call(method, path, JSON.stringify(body), { 'content-type': 'application/json' });

  /** Reads all pages of a list. */
  async function pages(path, query, items) {
    const all = [];
    for (let page = 1, last = 1; page <= last; page += 1) {
      const answer = await call('GET', `${path}?${new URLSearchParams({ ...query, page, per_page: 50 })}`);
      all.push(...answer[items]);
      last = answer.total_pages;
    }
    return all;
  }

  return {
    putFlow(name, template) {
      const form = new FormData();
      form.set('data_json', JSON.stringify({ name }));
      form.set('template_file', new Blob([template], { type: 'application/octet-stream' }), 'template.yml');
      return call('PUT', `/flows/${part(org)}/template_file`, form);
    },
    postCustomType(name) {
      const form = new FormData();
      form.set('data_json', JSON.stringify({ name, evaluator: { content_type: 'jq', rules: ['.is_compliant'] } }));
      return call('POST', `/custom-attestation-types/${part(org)}`, form);
    },
    putPolicy(name, text) {
      const form = new FormData();
      form.set('payload', JSON.stringify({ name, description: '', comment: '', type: 'env' }));
      form.set('policy_file', new Blob([text], { type: 'application/octet-stream' }), 'policy.yml');
      return call('PUT', `/policies/${part(org)}`, form);
    },
    tagFlow: (name, tags) => json('PATCH', `/tags/${part(org)}/flow/${part(name)}`, { set_tags: tags }),
    attachPolicies: (env, names) =>
      json('POST', `/environments/${part(org)}/${part(env)}/policies`, { policy_names: names }),
    attest({ flow, trail, path, body }) {
      const form = new FormData();
      form.set('data_json', JSON.stringify(body));
      return call('POST', `/attestations/${part(org)}/${part(flow)}/trail/${part(trail)}/${path}`, form);
    },
    postArtifact: (flow, body) => json('POST', `/artifacts/${part(org)}/${part(flow)}`, body),
    putEnvironment: (body) => json('PUT', `/environments/${part(org)}`, body),
    reportDocker: (env, observed_at, body) =>
      json(
        'PUT',
        `/environments/${part(org)}/${part(env)}/report/docker?${new URLSearchParams({ observed_at })}`,
        body,
      ),
    trail: (flow, name) => call('GET', `/trails/${part(org)}/${part(flow)}/${part(name)}`),
    flow: (name) => call('GET', `/flows/${part(org)}/${part(name)}`),
    latestSnapshot: (env) => call('GET', `/snapshots/${part(org)}/${part(env)}/-1`),
    repositories: () => pages(`/repos/${part(org)}`, {}, 'repos'),
    deployments: (query) => pages(`/deployments/${part(org)}`, query, 'deployments'),
    repositoryDeployments: (id, query) => pages(`/repos/${part(org)}/${part(id)}/deployments`, query, 'deployments'),
  };
}
