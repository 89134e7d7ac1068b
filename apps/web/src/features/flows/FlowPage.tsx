import { useParams } from 'react-router';
import { api, type Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { useAnswer, useListPage } from '../../api/use-answer';
import { to } from '../../app/paths';
import { ArtifactList } from '../../parts/ArtifactList';
import { MoveToSpace } from '../../parts/MoveToSpace';
import { TagsEditor } from '../../parts/TagsEditor';
import { CodeLines, Empty, Facts, Page, Panel, SafeLink, Tags, Time, useGo, usePageNumber } from '../../ui';
import { ConfirmDialog } from '../../ui/FormDialog';
import { Tabs } from '../../ui/Tabs';
import { FlowForm } from './FlowForm';
import { TrailMatrix } from './TrailMatrix';

export function FlowPage() {
  const { flow: name = '' } = useParams();
  const may = useMay();
  const flow = useAnswer('/flows/{org}/{flow}', { flow: name });
  return (
    <Page
      title={flow.name}
      kind="Flow"
      above={[{ text: 'Flows', href: to.flows }]}
      lead={flow.description}
      actions={
        may('record') && (
          <>
            <FlowForm flow={flow} />
            <ArchiveFlow name={flow.name} />
          </>
        )
      }
    >
      <Tabs
        label="Parts of the flow"
        tabs={[
          { id: 'trails', title: 'Trails', content: <TrailMatrix flow={flow.name} /> },
          { id: 'artifacts', title: 'Artifacts', content: <Artifacts flow={flow.name} /> },
          {
            id: 'about',
            title: 'Template and tags',
            content: <About flow={flow} may={may} />,
          },
        ]}
      />
    </Page>
  );
}

function ArchiveFlow({ name }: { readonly name: string }) {
  const go = useGo();
  return (
    <ConfirmDialog
      does="Archive"
      title="Archive flow"
      onConfirm={async (org) => {
        await api.PUT('/flows/{org}/{flow}/archive', { params: { path: { org, flow: name } } });
        await go(to.flows);
      }}
    >
      <bdi>{name}</bdi> disappears from lists and takes no new trails. Its trails can be read. Creating it again brings
      it back.
    </ConfirmDialog>
  );
}

const About = ({ flow, may }: { readonly flow: Schemas['Flow']; readonly may: ReturnType<typeof useMay> }) => (
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
          {may('organization') && <MoveToSpace resource={{ flow: flow.name }} space={flow.space_id} />}
          {may('record') && <TagsEditor kind="flows" id={flow.name} tags={flow.tags} />}
        </>
      }
    >
      <Facts
        facts={[
          ['Tags', <Tags tags={flow.tags} />],
          ['Repository', flow.repo_url === null ? null : <SafeLink href={flow.repo_url} />],
          ['Last deployment', <Time at={flow.last_deployment_at} />],
          ['Visibility', flow.visibility],
        ]}
      />
    </Panel>
  </div>
);

const PER_PAGE = 30;

function Artifacts({ flow }: { readonly flow: string }) {
  const page = usePageNumber();
  const [artifacts, more] = useListPage('/artifacts/{org}/{flow}', { flow }, { page, per_page: PER_PAGE });
  return (
    <ArtifactList
      title="Artifacts"
      none="No artifact yet"
      artifacts={artifacts}
      page={page}
      more={more}
      hrefOf={({ fingerprint }) => to.artifact(flow, fingerprint)}
    />
  );
}
