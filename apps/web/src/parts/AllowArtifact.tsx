import { useState } from 'react';
import { api } from '../api/client';
import { OptionalMoment, TextInput } from '../ui/Fields';
import { FormDialog, textsOf } from '../ui/FormDialog';
import { useZone } from '../ui/zone';

interface Props {
  readonly env: string;
  /** An artifact that is already chosen. The dialog then opens at once. */
  readonly artifact?: { readonly fingerprint: string; readonly name: string };
}

/** Adds an artifact to the allow-list of an environment: a given artifact, or any artifact. */
export function AllowArtifact({ env, artifact }: Props) {
  const zone = useZone();
  const [until, setUntil] = useState('');
  const end = Date.parse(zone === 'utc' ? `${until}Z` : until) / 1000;
  return (
    <FormDialog
      trigger={artifact === undefined ? 'Allow an artifact' : 'Allow'}
      title="Allow an artifact"
      does="Allow"
      isOpen={artifact !== undefined}
      onSubmit={async (values, org) => {
        await api.PUT('/allowlists/{org}/{env}', {
          params: { path: { org, env } },
          body: {
            ...textsOf(values, 'artifact_fingerprint', 'artifact_name', 'description'),
            ...(Number.isNaN(end) ? {} : { expires_at: end }),
          },
        });
      }}
    >
      <TextInput
        name="artifact_fingerprint"
        label="Fingerprint"
        required
        help="SHA-256, 64 hexadecimal digits."
        {...(artifact && { value: artifact.fingerprint })}
      />
      <TextInput name="artifact_name" label="Name" {...(artifact && { value: artifact.name })} />
      <TextInput name="description" label="Why" />
      <OptionalMoment label="Until" zone={zone === 'utc' ? 'UTC' : 'local time'} value={until} onChange={setUntil} />
    </FormDialog>
  );
}
