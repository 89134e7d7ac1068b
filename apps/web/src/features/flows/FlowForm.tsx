import { api, send, type Schemas } from '../../api/client';
import { to } from '../../app/paths';
import { useGo } from '../../ui';
import { TextInput } from '../../ui/Fields';
import { FormDialog } from '../../ui/FormDialog';

const TEMPLATE = `version: 1
trail:
  attestations:
    - name: review
      type: pull_request
  artifacts:
    - name: web
      attestations:
        - name: tests
          type: junit
`;

interface Props {
  /** The flow to change. Without it, the form creates a new flow. */
  readonly flow?: Schemas['Flow'];
}

/** A button that opens a form with the name of a flow and the requirements for its trails. */
export function FlowForm({ flow }: Props) {
  const go = useGo();
  const template = flow === undefined ? TEMPLATE : typeof flow.template === 'string' ? flow.template : '';
  const save = async (values: FormData, org: string) => {
    const name = flow?.name ?? String(values.get('name'));
    const form = new FormData();
    form.set('data_json', JSON.stringify({ name, description: values.get('description') }));
    form.set('template_file', new Blob([String(values.get('template'))], { type: 'text/yaml' }), 'template.yml');
    await send(`/flows/${encodeURIComponent(org)}/template_file`, { method: 'PUT', body: form });
    const requestedName = String(values.get('name'));
    if (flow !== undefined && requestedName !== flow.name) {
      const params = { path: { org, flow: flow.name } };
      await api.PUT('/flows/{org}/{flow}/rename', { params, body: { new_name: requestedName } });
    }
    await go(to.flow(requestedName));
  };
  return (
    <FormDialog
      trigger={flow ? 'Edit' : 'New flow'}
      look={flow ? 'plain' : 'main'}
      title={flow ? 'Edit flow' : 'New flow'}
      does={flow ? 'Save' : 'Create'}
      onSubmit={save}
    >
      <TextInput name="name" label="Name" value={flow?.name ?? ''} required />
      <TextInput name="description" label="Description" value={flow?.description ?? ''} />
      <TextInput
        name="template"
        label="Template (YAML)"
        lines={12}
        value={template}
        help="What each trail has to show. Trails keep the template that they began with."
      />
    </FormDialog>
  );
}
