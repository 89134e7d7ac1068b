import { BASE } from '../../api/client';
import { useOrg } from '../../api/session';
import { CodeLines, PageLink, Panel } from '../../ui';
import { to } from '../../app/paths';
import { quoted } from '../../parts/quoted';

/** First steps in an empty organization, with shell commands. */
export function FirstSteps() {
  const api = `${location.origin}${BASE}api/v2`;
  const name = encodeURIComponent(useOrg());
  const head = `export KEY=your-api-key\nexport API=${quoted(api)} ORG=${quoted(name)}\n`;
  const call = (method: string, path: string, body: string) =>
    `curl -X ${method} "$API/${path}" \\\n  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\\n  -d '${body}'`;
  return (
    <>
      <p style={{ margin: 0 }}>
        Nothing is here yet. Three steps lead to the first answer: what runs, since when, and from which commit. Create
        the API key that they need in <PageLink to={to.settings('keys')}>your settings</PageLink>.
      </p>
      <Panel title="1. Name a place where software runs">
        <CodeLines
          label="Lines that create an environment"
          text={`${head}\n${call('PUT', 'environments/$ORG', '{"name": "production", "type": "docker"}')}`}
        />
      </Panel>
      <Panel title="2. Report what a pipeline built, and from what">
        <CodeLines
          label="Lines that report an artifact"
          text={`${call('PUT', 'flows/$ORG', '{"name": "web", "template": ["artifact"]}')}\n\nFINGERPRINT=$(printf 'web 1.0' | { sha256sum 2>/dev/null || shasum -a 256; } | cut -c1-64)\n${call(
            'POST',
            'artifacts/$ORG/web',
            `{"fingerprint": "'$FINGERPRINT'", "filename": "web:1.0", "git_commit": "'$(git rev-parse HEAD)'",\n    "trail_name": "build-1", "template_reference_name": "artifact"}`,
          )}`}
        />
      </Panel>
      <Panel title="3. Report what runs">
        <CodeLines
          label="Lines that report what runs"
          text={call(
            'PUT',
            'environments/$ORG/production/report/docker',
            `{"artifacts": [{"digests": {"web:1.0": "'$FINGERPRINT'"}, "creationTimestamp": '$(date +%s)'}]}`,
          )}
        />
      </Panel>
    </>
  );
}
