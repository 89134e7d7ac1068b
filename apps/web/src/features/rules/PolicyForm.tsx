import { lazy, Suspense, useState } from 'react';
import { BASE, send } from '../../api/client';
import { ApiError } from '../../api/error';
import { to } from '../../app/paths';
import { useGo } from '../../ui';
import { TextInput } from '../../ui/Fields';
import { FormDialog } from '../../ui/FormDialog';

// Loaded when the form is opened.
const DraftEffects = lazy(async () => ({ default: (await import('./DraftEffects')).DraftEffects }));

const SAMPLE = `_schema: ${location.origin}${BASE}schemas/policy/v1
artifacts:
  provenance:
    required: true
  trail-compliance:
    required: true
`;

interface Props {
  /** The policy that gets a new version. Without it, the form creates a new policy. */
  readonly policy?: { readonly name: string; readonly description: string; readonly source: string };
}

/** A button that opens a form with the source of a policy. */
export function PolicyForm({ policy }: Props) {
  const go = useGo();
  const save = async (values: FormData, org: string) => {
    const name = policy?.name ?? String(values.get('name'));
    const form = new FormData();
    const payload = { name, description: values.get('description'), comment: values.get('comment') };
    form.set('payload', JSON.stringify(payload));
    form.set('policy_file', new Blob([String(values.get('source'))], { type: 'text/yaml' }), 'policy.yml');
    try {
      await send(`/policies/${encodeURIComponent(org)}`, { method: 'PUT', body: form });
    } catch (fault) {
      throw fault instanceof ApiError ? atSource(fault) : fault;
    }
    await go(to.policy(name));
  };
  return (
    <FormDialog
      trigger={policy ? 'New version' : 'New policy'}
      look={policy ? 'plain' : 'main'}
      title={policy ? `New version of ${policy.name}` : 'New policy'}
      onSubmit={save}
    >
      {policy === undefined && <TextInput name="name" label="Name" required />}
      <TextInput name="description" label="Description" value={policy?.description ?? ''} />
      <Source policy={policy} />
      <TextInput name="comment" label="What changes, and why" />
    </FormDialog>
  );
}

/** The text of a policy, and beside it the changes that it would cause. */
function Source({ policy }: { readonly policy: Props['policy'] | undefined }) {
  const [source, setSource] = useState(policy?.source ?? SAMPLE);
  const [refused, setRefused] = useState<{ readonly of: string; readonly fault: ApiError } | null>(null);
  const problem = refused?.of === source ? atSource(refused.fault).fields['source'] : undefined;
  return (
    <>
      <TextInput
        name="source"
        label="Source (YAML)"
        lines={12}
        value={source}
        required
        onChange={setSource}
        problem={problem}
      />
      <Suspense>
        {policy !== undefined && (
          <DraftEffects
            policy={policy.name}
            source={source}
            onAnswer={(fault) => setRefused(fault === null ? null : { of: source, fault })}
          />
        )}
      </Suspense>
    </>
  );
}

const IN_SOURCE = /^policy_(?:file|yaml)(?:\.|$)/;

/** Moves the problems of a policy's text to the field of the source: each once, by line. A missing or unknown key is named. */
function atSource({ status, message, fields, requestId }: ApiError): ApiError {
  const problems = Object.entries(fields).filter(([field]) => IN_SOURCE.test(field));
  if (problems.length === 0) return new ApiError(status, message, fields, requestId);
  const lines = problems.map(([field, text]) => {
    const path = field.replace(IN_SOURCE, '');
    return path === '' ? text : `${text} (${path})`;
  });
  const others = Object.entries(fields).filter(([field]) => !IN_SOURCE.test(field));
  const source = [...new Set(lines)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).join('\n');
  return new ApiError(status, message, { ...Object.fromEntries(others), source }, requestId);
}
