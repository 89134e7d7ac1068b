import { Link, useParams } from 'react-router';
import { api, query, type Schemas } from '../../api/client';
import { useMay, useOrg } from '../../api/session';
import { to } from '../../app/paths';
import {
  Badge,
  Empty,
  Facts,
  Figure,
  Figures,
  Guarded,
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
import { FormDialog } from '../../ui/FormDialog';
import { Reported } from './Reported';

type Control = Schemas['Control'];

export const ControlPage = () => (
  <Guarded page>
    <Loaded />
  </Guarded>
);

function Loaded() {
  const org = useOrg();
  const { control: identifier = '' } = useParams();
  const may = useMay();
  const { data: control } = query.useSuspenseQuery('get', '/controls/{org}/{control}', {
    params: { path: { org, control: identifier } },
  });
  return (
    <Page
      title={control.name}
      kind="Control"
      above={[{ text: 'Controls', href: to.controls(org) }]}
      badges={
        <>
          <Badge tone="none">{control.identifier}</Badge>
          {control.archived && <Badge tone="warn">Archived</Badge>}
        </>
      }
      lead={<bdi>{control.description}</bdi>}
      actions={may('organization') && <Actions org={org} control={control} />}
    >
      <Panel title="About">
        <Facts
          facts={[
            ['Version', control.version],
            ['Created by', <bdi key="by">{control.created_by}</bdi>],
            ['Created', <Time key="at" at={control.created_at} />],
            ['Tags', <Tags key="tags" tags={control.tags} />],
            ['Policies', <Policies key="policies" org={org} names={control.policies_referencing} />],
            ...Object.entries(control.links).map(
              ([name, href]) =>
                [
                  name,
                  <SafeLink key={name} href={href}>
                    {href}
                  </SafeLink>,
                ] as const,
            ),
          ]}
        />
      </Panel>
      <Coverage org={org} control={control.identifier} />
      <Reported org={org} type="decision" control={control.identifier} />
    </Page>
  );
}

const Policies = ({ org, names }: { readonly org: string; readonly names: readonly string[] }) =>
  names.length === 0 ? (
    <span className="quiet">none</span>
  ) : (
    <span className="line">
      {names.map((name) => (
        <Link key={name} to={to.policy(org, name)}>
          <bdi>{name}</bdi>
        </Link>
      ))}
    </span>
  );

function Coverage({ org, control }: { readonly org: string; readonly control: string }) {
  const page = usePageNumber();
  const { data } = query.useSuspenseQuery('get', '/controls/{org}/{control}/coverage', {
    params: { path: { org, control }, query: { page, per_page: 50 } },
  });
  return (
    <>
      <Figures>
        <Figure label="of environments covered">{Math.round(data.coverage_percent)} %</Figure>
        <Figure label="covered">{data.covered}</Figure>
        <Figure label="environments">{data.total}</Figure>
      </Figures>
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
              cell: ({ name }) => (
                <Link to={to.environment(org, name)}>
                  <bdi>{name}</bdi>
                </Link>
              ),
            },
            { head: 'Type', cell: ({ type }) => type },
            {
              head: 'Covered',
              cell: ({ covered }) => <Verdict value={covered}>{covered ? 'Covered' : 'Not covered'}</Verdict>,
            },
            { head: 'By', kind: 'wide', cell: ({ policies }) => <Policies org={org} names={policies} /> },
          ]}
        />
        <Pager page={page} pages={data.total_pages} total={data.total_count} />
      </Panel>
    </>
  );
}

function Actions({ org, control }: { readonly org: string; readonly control: Control }) {
  const params = { path: { org, control: control.identifier } };
  return (
    <>
      <FormDialog
        trigger="Edit"
        title="Edit control"
        does="Save"
        onSubmit={async (values) => {
          const body = { name: String(values.get('name')), description: String(values.get('description')) };
          await api.PUT('/controls/{org}/{control}', { params, body });
          return null;
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
          return null;
        }}
      >
        <p>{control.archived ? 'It is in lists again.' : 'It disappears from lists. What was decided of it stays.'}</p>
      </FormDialog>
    </>
  );
}
