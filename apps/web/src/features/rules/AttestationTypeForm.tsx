import { send, type Schemas } from '../../api/client';
import { to } from '../../app/paths';
import { useGo } from '../../ui';
import { TextInput } from '../../ui/Fields';
import { FormDialog } from '../../ui/FormDialog';

const RULES = '.coverage >= 80';

interface Props {
  /** The type that gets a new version. Without it, the form creates a new type. */
  readonly type?: Schemas['AttestationType'];
}

/** A button that opens a form with the requirements of an attestation type and its rules. */
export function AttestationTypeForm({ type }: Props) {
  const go = useGo();
  const latest = type?.versions.reduce((a, b) => (b.version > a.version ? b : a));
  const save = async (values: FormData, org: string) => {
    const name = type?.name ?? String(values.get('name'));
    const rules = String(values.get('rules'))
      .split('\n')
      .filter((rule) => rule.trim() !== '');
    const data = {
      name,
      description: values.get('description'),
      ...(rules.length > 0 && { evaluator: { content_type: 'jq', rules } }),
    };
    const form = new FormData();
    form.set('data_json', JSON.stringify(data));
    const schema = String(values.get('schema')).trim();
    if (schema !== '') form.set('type_schema', new Blob([schema], { type: 'application/json' }), 'schema.json');
    await send(`/custom-attestation-types/${encodeURIComponent(org)}`, { method: 'POST', body: form });
    await go(to.attestationType(name));
  };
  return (
    <FormDialog
      trigger={type ? 'New version' : 'New type'}
      look={type ? 'plain' : 'main'}
      title={type ? `New version of ${type.name}` : 'New attestation type'}
      onSubmit={save}
    >
      {type === undefined && <TextInput name="name" label="Name" required />}
      <TextInput name="description" label="Description" value={type?.description ?? ''} />
      <TextInput
        name="rules"
        label="Rules (jq)"
        lines={4}
        value={type === undefined ? RULES : (latest?.evaluator?.rules.join('\n') ?? '')}
        help="One a line. What is attested complies where each of them is true."
      />
      <TextInput
        name="schema"
        label="Schema (JSON Schema)"
        lines={8}
        value={latest?.type_schema ? JSON.stringify(latest.type_schema, null, 2) : ''}
        help="What does not fit is refused. Without one everything is taken."
      />
    </FormDialog>
  );
}
