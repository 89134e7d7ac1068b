import { api, type Schemas } from '../../api/client';
import { useMay, useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { AllowArtifact } from '../../parts/AllowArtifact';
import { ArtifactName } from '../../parts/ArtifactName';
import { MoveToSpace } from '../../parts/MoveToSpace';
import { NameList } from '../../parts/NameList';
import { TagsEditor } from '../../parts/TagsEditor';
import { Empty, Facts, formatDuration, Hash, NameLink, Panel, Table, Tags, Time } from '../../ui';
import { Checks } from '../../ui/Fields';
import { FormDialog } from '../../ui/FormDialog';

/** How many allowed artifacts are shown. */
const NEWEST = 100;

interface Props {
  readonly environment: Schemas['Environment'];
}

/** The attached policies, the tags, and the artifacts that are allowed whatever policies say. */
export function EnvironmentSettings({ environment }: Props) {
  const may = useMay();
  const { name, tags, policies, include_scaling, require_provenance, included_environments } = environment;
  const isLogical = environment.type === 'logical';
  return (
    <div className="columns">
      <div className="stack">
        <Panel
          title="Policies in force"
          actions={may('record') && !isLogical && <ChoosePolicies environment={environment} />}
          flush
        >
          {isLogical ? (
            <Empty icon="policies" title="Its members are judged">
              It complies if all of them do, by the policies that are attached to them.
            </Empty>
          ) : policies.length === 0 ? (
            <Empty icon="policies" title="No policy is attached">
              Without one nothing that runs here is judged.
            </Empty>
          ) : (
            <ul className="plain">
              {policies.map((policy) => (
                <li key={policy}>
                  <NameLink to={to.policy(policy)}>{policy}</NameLink>
                </li>
              ))}
            </ul>
          )}
        </Panel>
        {!isLogical && (
          <Panel
            title="Allow-list"
            note={`what complies here whatever policies say; the newest ${NEWEST}`}
            actions={may('record') && <AllowArtifact env={name} />}
            flush
          >
            <AllowedArtifacts env={name} />
          </Panel>
        )}
      </div>
      <Panel
        title="About"
        actions={
          <>
            {may('organization') && <MoveToSpace resource={{ environment: name }} space={environment.space_id} />}
            {may('record') && <TagsEditor kind="environments" id={name} tags={tags} />}
          </>
        }
      >
        <Facts
          facts={[
            ['Tags', <Tags tags={tags} />],
            ['Changes of instance counts', include_scaling ? 'make snapshots' : 'make no snapshot'],
            [
              'Without provenance',
              !isLogical && (require_provenance ? 'an artifact does not comply' : 'an artifact may comply'),
            ],
            ['Reports', reportsText(environment)],
            [
              'Made of',
              included_environments && (
                <NameList names={included_environments} to={to.environment} kind="environments" />
              ),
            ],
            ['Settings changed', <Time at={environment.last_modified_at} />],
          ]}
        />
      </Panel>
    </div>
  );
}

function reportsText({ type, report_every: every }: Props['environment']): string | false {
  if (type === 'logical') return false;
  return every === null ? 'expected as often as they came' : `expected every ${formatDuration(every)}`;
}

function AllowedArtifacts({ env }: { readonly env: string }) {
  const data = useAnswer('/allowlists/{org}/{env}', { env }, { per_page: NEWEST });
  return (
    <Table
      label="Allow-list"
      rows={data.artifacts}
      keyOf={({ artifact_fingerprint }) => artifact_fingerprint}
      empty={<Empty icon="policies" title="No artifact is allowed despite policies" />}
      columns={[
        {
          head: 'Artifact',
          kind: 'main',
          cell: ({ artifact_name, artifact_fingerprint }) => (
            <ArtifactName flow={null} fingerprint={artifact_fingerprint} name={artifact_name} />
          ),
        },
        { head: 'Fingerprint', cell: ({ artifact_fingerprint }) => <Hash value={artifact_fingerprint} /> },
        { head: 'Why', cell: ({ description }) => <bdi>{description}</bdi> },
        { head: 'By', cell: ({ created_by }) => <bdi>{created_by}</bdi> },
        { head: 'Allowed', cell: ({ created_at }) => <Time at={created_at} /> },
        { head: 'Until', cell: ({ expires_at }) => <Time at={expires_at} none="no end" /> },
      ]}
    />
  );
}

function ChoosePolicies({ environment }: Props) {
  const org = useOrg();
  const data = useAnswer('/policies/{org}', {});
  const params = { path: { org, env: environment.name } };
  const before = environment.policies;
  return (
    <FormDialog
      trigger="Choose"
      title="Policies in force"
      onSubmit={async (values) => {
        const selected = values.getAll('policies').map(String);
        const added = selected.filter((name) => !before.includes(name));
        const removed = before.filter((name) => !selected.includes(name));
        if (added.length > 0)
          await api.POST('/environments/{org}/{env}/policies', { params, body: { policy_names: added } });
        if (removed.length > 0)
          await api.DELETE('/environments/{org}/{env}/policies', { params, body: { policy_names: removed } });
      }}
    >
      <Checks
        name="policies"
        label="Policies"
        selected={before}
        options={data.map(({ name }) => [name, name] as const)}
        help={
          data.length === 0
            ? 'There is no policy yet.'
            : 'A change judges what runs again and makes a snapshot where a verdict changes.'
        }
      />
    </FormDialog>
  );
}
