import { lazy, Suspense } from 'react';
import { api } from '../api/client';
import { FormDialog } from '../ui/FormDialog';

/** Loaded with the dialog, so that pages without other fields do not load it. */
const TextInput = lazy(async () => ({ default: (await import('../ui/Fields')).TextInput }));

interface Props {
  readonly kind: 'environments' | 'flows' | 'repos';
  readonly id: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** One line for each tag. */
const textOf = (tags: Props['tags']) =>
  Object.entries(tags)
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n');

function tagsOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [key = '', ...value] = line.split(':');
      return [key.trim(), value.join(':').trim()];
    }),
  );
}

/** A button that opens a form for the tags of a resource. */
export const TagsEditor = ({ kind, id, tags }: Props) => (
  <FormDialog
    trigger="Edit tags"
    title="Tags"
    onSubmit={async (values, org) => {
      const newTags = tagsOf(String(values.get('tags')));
      await api.PATCH('/tags/{org}/{resource_type}/{id}', {
        params: { path: { org, resource_type: kind, id } },
        body: { set_tags: newTags, remove_tags: Object.keys(tags).filter((key) => !(key in newTags)) },
      });
    }}
  >
    <Suspense fallback={null}>
      <TextInput name="tags" label="Tags" lines={6} value={textOf(tags)} help="One a line, such as tier: production." />
    </Suspense>
  </FormDialog>
);
