import { to } from '../../app/paths';
import { BreakableName, NameLink } from '../../ui';

interface Component {
  readonly purl: string | null;
  readonly name: string;
  readonly version: string | null;
}

interface Props {
  readonly component: Component;
}

/** A component with its version and package URL. It links to the places where this version runs. */
export const ComponentName = ({ component }: Props) => (
  <span className="pile">
    {component.name === '' ? (
      <span className="quiet">not named</span>
    ) : (
      <NameLink to={pageOf(component)}>
        {component.version === null ? component.name : `${component.name} ${component.version}`}
      </NameLink>
    )}
    {component.purl !== null && (
      <span className="small quiet" style={{ overflowWrap: 'anywhere' }}>
        <BreakableName>{component.purl}</BreakableName>
      </span>
    )}
  </span>
);

/** The version of a component, shown after its name. */
export const ComponentVersion = ({ component }: Props) => (
  <NameLink to={pageOf(component)}>{component.version ?? 'no version'}</NameLink>
);

const pageOf = ({ purl, name, version }: Component) =>
  purl === null ? to.component(name, version) : to.component(purl, hasVersion(purl) ? null : version);

/** Whether a canonical package URL has a version. In its other parts, `@` is escaped. */
const hasVersion = (purl: string) => purl.includes('@');
