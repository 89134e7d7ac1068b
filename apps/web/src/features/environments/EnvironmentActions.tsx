import { api, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { to } from '../../app/paths';
import { Guarded, useGo } from '../../ui';
import { Checks, TextInput } from '../../ui/Fields';
import { ConfirmDialog, FormDialog } from '../../ui/FormDialog';
import { Members } from './Members';
import { ReportEvery, reportEveryOf } from './ReportEvery';

/** Actions of members on an environment: describe, rename and archive it. */
export function EnvironmentActions({ environment }: { readonly environment: Schemas['Environment'] }) {
  const org = useOrg();
  const go = useGo();
  const { name, description, include_scaling, included_environments, type } = environment;
  const params = { path: { org, env: name } };
  return (
    <>
      <FormDialog
        trigger="Edit"
        title="Edit environment"
        onSubmit={async (values) => {
          const body = {
            description: String(values.get('description')),
            ...(type === 'logical'
              ? { included_environments: values.getAll('members').map(String) }
              : { include_scaling: values.getAll('options').includes('include_scaling'), ...reportEveryOf(values) }),
          };
          await api.PATCH('/environments/{org}/{env}', { params, body });
          const newName = String(values.get('new_name'));
          if (newName === name) return null;
          await api.PUT('/environments/{org}/{env}/rename', { params, body: { new_name: newName } });
          await go(to.environment(newName), { replace: true });
        }}
      >
        <TextInput
          name="new_name"
          label="Name"
          value={name}
          required
          help="The old name goes on to mean this environment until another is given it."
        />
        <TextInput name="description" label="Description" value={description} />
        {type === 'logical' ? (
          <Guarded lines={2}>
            <Members selected={included_environments ?? []} />
          </Guarded>
        ) : (
          <>
            <Checks
              name="options"
              label="What counts"
              selected={include_scaling ? ['include_scaling'] : []}
              options={[['include_scaling', 'A change of the number of instances makes a snapshot']]}
            />
            <ReportEvery value={environment.report_every} />
          </>
        )}
      </FormDialog>
      <ConfirmDialog
        does="Archive"
        title="Archive environment"
        onConfirm={async () => {
          await api.PUT('/environments/{org}/{env}/archive', { params });
          await go(to.environments);
        }}
      >
        <bdi>{name}</bdi> disappears from lists and takes no more reports. Creating it again by its name brings it back.
      </ConfirmDialog>
    </>
  );
}
