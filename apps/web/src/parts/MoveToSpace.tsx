import { api } from '../api/client';
import { useAnswer } from '../api/use-answer';
import { Guarded } from '../ui';
import { Select } from '../ui/Fields';
import { FormDialog } from '../ui/FormDialog';
import { places } from './space-choices';

/** The most spaces to choose from. */
const PER_PAGE_MAX = 100;

interface Props {
  /** The name of the environment or flow to move. */
  readonly resource: { readonly environment: string } | { readonly flow: string };
  /** Id of its current space. */
  readonly space: string;
}

/** A button that opens a choice of spaces. */
export const MoveToSpace = ({ resource: moved, space }: Props) => (
  <FormDialog
    trigger="Move"
    title="Move to a space"
    does="Move"
    onSubmit={async (values, org) => {
      const body = { space_id: String(values.get('space_id')) };
      if ('flow' in moved) {
        await api.PUT('/flows/{org}/{flow}/move', { params: { path: { org, flow: moved.flow } }, body });
      } else {
        await api.PUT('/environments/{org}/{env}/move', { params: { path: { org, env: moved.environment } }, body });
      }
    }}
  >
    <Guarded lines={1}>
      <Choice space={space} />
    </Guarded>
  </FormDialog>
);

function Choice({ space }: Pick<Props, 'space'>) {
  const data = useAnswer('/spaces/{org}', {}, { per_page: PER_PAGE_MAX });
  return <Select name="space_id" label="Space" options={places(data.spaces)} value={space} />;
}
