import { useParams } from 'react-router';
import { api, type Schemas } from '../../api/client';
import { useMay, useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import {
  Badge,
  Empty,
  Facts,
  Figures,
  formatShare,
  NameLink,
  NameLinks,
  Page,
  Pager,
  Panel,
  SafeLink,
  Table,
  Tags,
  Time,
  usePageNumber,
  Verdict,
} from '../../ui';
import { TextInput } from '../../ui/Fields';
import { FormDialog, textsOf } from '../../ui/FormDialog';
import { ControlDecisions } from './ControlDecisions';
import { ControlVersions } from './ControlVersions';

type Control = Schemas['Control'];

export function ControlPage() {
  const { control: identifier = '' } = useParams();
  const may = useMay();
  const control = useAnswer('/controls/{org}/{control}', { control: identifier });
  return (
    <Page
      title={control.name}
      kind="Control"
      above={[{ text: 'Controls', href: to.controls }]}
      badges={
        <>
          <Badge tone="none">{control.identifier}</Badge>
          {control.archived && <Badge tone="warn">Archived</Badge>}
        </>
      }
      lead={control.description}
      actions={may('organization') && <Actions control={control} />}
    >
      <Panel title="About">
        <Facts
          facts={[
            ['Version', control.version],
            ['Created by', <bdi>{control.created_by}</bdi>],
            ['Created', <Time at={control.created_at} />],
            ['Tags', <Tags tags={control.tags} />],
            ['Policies', <NameLinks names={control.policies_referencing} to={to.policy} />],
            ...Object.entries(control.links).map(
              ([name, href]) => [name, <SafeLink key={name} href={href} />] as const,
            ),
          ]}
        />
      </Panel>
      <ControlDecisions control={control.identifier} />
      <Coverage control={control.identifier} />
      <ControlVersions control={control.identifier} />
    </Page>
  );
}

function Coverage({ control }: { readonly control: string }) {
  const page = usePageNumber('coverage');
  const data = useAnswer('/controls/{org}/{control}/coverage', { control }, { page, per_page: 50 });
  return (
    <>
      <Figures
        figures={[
          ['of environments covered', formatShare(data.coverage_percent / 100)],
          ['covered', data.covered],
          ['environments', data.total],
        ]}
      />
      <Panel title="Coverage" flush>
        <Table
          label="Coverage"
          rows={data.environments}
          keyOf={({ name }) => name}
          empty={<Empty icon="environments" title="There is no environment" />}
          columns={[
            {
              head: 'Environment',
              kind: 'main',
              cell: ({ name }) => <NameLink to={to.environment(name)}>{name}</NameLink>,
            },
            { head: 'Type', cell: ({ type }) => type },
            {
              head: 'Covered',
              cell: ({ covered }) => <Verdict value={covered}>{covered ? 'Covered' : 'Not covered'}</Verdict>,
            },
            { head: 'By', kind: 'wide', cell: ({ policies }) => <NameLinks names={policies} to={to.policy} /> },
          ]}
        />
        <Pager name="coverage" page={page} pages={data.total_pages} total={data.total_count} />
      </Panel>
    </>
  );
}

function Actions({ control }: { readonly control: Control }) {
  const org = useOrg();
  const params = { path: { org, control: control.identifier } };
  return (
    <>
      <FormDialog
        trigger="Edit"
        title="Edit control"
        onSubmit={async (values) => {
          const body = textsOf(values, 'name', 'description');
          await api.PUT('/controls/{org}/{control}', { params, body });
        }}
      >
        <TextInput name="name" label="Name" value={control.name} required />
        <TextInput name="description" label="Description" value={control.description} lines={4} />
      </FormDialog>
      <FormDialog
        trigger={control.archived ? 'Take out of the archive' : 'Archive'}
        look={control.archived ? 'plain' : 'danger'}
        title={control.archived ? 'Take the control out of the archive' : 'Archive control'}
        does={control.archived ? 'Take out' : 'Archive'}
        onSubmit={async () => {
          await api.POST(
            control.archived ? '/controls/{org}/{control}/unarchive' : '/controls/{org}/{control}/archive',
            { params },
          );
        }}
      >
        <p>{control.archived ? 'It is in lists again.' : 'It disappears from lists. What was decided of it stays.'}</p>
      </FormDialog>
    </>
  );
}
