import { useEnvironments } from '../../api/environments';
import { Checks } from '../../ui/Fields';

/** The choice of the members of a logical environment. All physical environments can be chosen. */
export function Members({ selected = [] }: { readonly selected?: readonly string[] }) {
  const physical = useEnvironments().filter(({ type }) => type !== 'logical');
  return (
    <Checks
      name="members"
      label="Members"
      selected={selected}
      options={physical.map(({ name }) => [name, name] as const)}
      help={
        physical.length === 0 ? 'There is no environment yet that could be a member.' : 'It unites what runs in these.'
      }
    />
  );
}
