import { api } from '../api/client';
import { TextInput } from '../ui/Fields';
import { FormDialog, textsOf } from '../ui/FormDialog';

interface Props {
  readonly env: string;
  /** What is chosen already: the dialog is open at once then. */
  readonly artifact?: { readonly fingerprint: string; readonly name: string };
}

/** The way onto the allow-list of an environment: of an artifact, or of any. */
export const AllowArtifact = ({ env, artifact }: Props) => (
  <FormDialog
    trigger={artifact === undefined ? 'Allow an artifact' : 'Allow'}
    title="Allow an artifact"
    does="Allow"
    opened={artifact !== undefined}
    onSubmit={async (values, org) => {
      await api.PUT('/allowlists/{org}/{env}', {
        params: { path: { org, env } },
        body: textsOf(values, 'artifact_fingerprint', 'artifact_name', 'description'),
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
  </FormDialog>
);
