import { useNavigate, useParams } from 'react-router';
import { api, query, type Schemas } from '../../api/client';
import { useMay, useOrg } from '../../api/session';
import { to } from '../../app/paths';
import { ArtifactList } from '../../parts/ArtifactList';
import { MoveToSpace } from '../../parts/MoveToSpace';
import { TagsEditor } from '../../parts/TagsEditor';
import { CodeLines, Empty, Facts, Guarded, Page, Panel, SafeLink, Tags, Time, usePageNumber } from '../../ui';
import { FormDialog } from '../../ui/FormDialog';
import { Tabs } from '../../ui/Tabs';
import { FlowForm } from './FlowForm';
import { TrailMatrix } from './TrailMatrix';

export const FlowPage = () => (
  <Guarded page>
    <Loaded />
  </Guarded>
);

function Loaded() {
  const org = useOrg();
  const { flow: name = '' } = useParams();
  const may = useMay();
  const { data: flow } = query.useSuspenseQuery('get', '/flows/{org}/{flow}', {
    params: { path: { org, flow: name } },
  });
  return (
    <Page
      title={flow.name}
      kind="Flow"
      above={[{ text: 'Flows', href: to.flows(org) }]}
      lead={<bdi>{flow.description}</bdi>}
      actions={
        may('record') && (
          <>
            <FlowForm org={org} flow={flow} />
            <ArchiveFlow org={org} name={flow.name} />
          </>
        )
      }
    >
      <Tabs
        label="Parts of the flow"
        tabs={[
          { id: 'trails', title: 'Trails', content: <TrailMatrix org={org} flow={flow.name} /> },
          { id: 'artifacts', title: 'Artifacts', content: <Artifacts org={org} flow={flow.name} /> },
          {
            id: 'about',
            title: 'Template and tags',
            content: <About org={org} flow={flow} may={may} />,
          },
        ]}
      />
    </Page>
  );
}

function ArchiveFlow({ org, name }: { readonly org: string; readonly name: string }) {
  const navigate = useNavigate();
  return (
    <FormDialog
      trigger="Archive"
      look="danger"
      title="Archive flow"
      does="Archive"
      onSubmit={async () => {
        await api.PUT('/flows/{org}/{flow}/archive', { params: { path: { org, flow: name } } });
        await navigate(to.flows(org));
        return null;
      }}
    >
      <p>
        <bdi>{name}</bdi> disappears from lists and takes no new trails. Its trails can be read. Creating it again
        brings it back.
      </p>
    </FormDialog>
  );
}

interface AboutProps {
  readonly org: string;
  readonly flow: Schemas['Flow'];
  readonly may: ReturnType<typeof useMay>;
}

const About = ({ org, flow, may }: AboutProps) => (
  <div className="columns">
    <Panel title="Template" note="What each trail has to show">
      {typeof flow.template === 'string' && flow.template !== '' ? (
        <CodeLines text={flow.template} label="Template" />
      ) : (
        <Empty icon="types" title="No template">
          Trails of this flow have nothing to show.
        </Empty>
      )}
    </Panel>
    <Panel
      title="About"
      actions={
        <>
          {may('organization') && <MoveToSpace org={org} moved={{ flow: flow.name }} space={flow.space_id} />}
          {may('record') && <TagsEditor org={org} kind="flows" id={flow.name} tags={flow.tags} />}
        </>
      }
    >
      <Facts
        facts={[
          ['Tags', <Tags key="tags" tags={flow.tags} />],
          [
            'Repository',
            flow.repo_url === null ? null : (
              <SafeLink key="repo" href={flow.repo_url}>
                {flow.repo_url}
              </SafeLink>
            ),
          ],
          ['Last deployment', <Time key="time" at={flow.last_deployment_at} />],
          ['Visibility', flow.visibility],
        ]}
      />
    </Panel>
  </div>
);

const PER_PAGE = 30;

function Artifacts({ org, flow }: { readonly org: string; readonly flow: string }) {
  const page = usePageNumber();
  const { data } = query.useSuspenseQuery('get', '/artifacts/{org}/{flow}', {
    params: { path: { org, flow }, query: { page, per_page: PER_PAGE } },
  });
  return (
    <ArtifactList
      title="Artifacts"
      none="No artifact yet"
      artifacts={data}
      page={page}
      perPage={PER_PAGE}
      hrefOf={({ fingerprint }) => to.artifact(org, flow, fingerprint)}
    />
  );
}
