import type { ReactNode } from 'react';
import { formatCount } from '../../ui';
import css from './Unjudged.module.css';

interface Props {
  /** The counts of an answer for what it cannot know. */
  readonly answer: Record<'without_sbom' | 'incomplete_sbom' | 'unmatched_components', number>;
  /** Which artifacts are counted, such as `that ever ran in production`; the artifact of the page if left out. */
  readonly scope?: ReactNode;
  /** Further limits of the answer, one paragraph each. */
  readonly children?: ReactNode;
}

/** What a list of components cannot know: an artifact without an SBOM may contain any component. This text is always shown. */
export const Unjudged = ({
  answer: { without_sbom: without, incomplete_sbom: incomplete, unmatched_components: unmatched },
  scope,
  children,
}: Props) => (
  <div className={css.unjudged} data-silent={without + incomplete + unmatched > 0 || undefined}>
    <p>
      {without === 0 ? (
        <>{scope === undefined ? 'The artifact' : <>Each artifact {scope}</>} has an SBOM.</>
      ) : (
        <>
          <Count of={without} /> {scope} {without === 1 ? 'has no SBOM. Nobody knows what it contains.' : NONE}
        </>
      )}
    </p>
    {incomplete > 0 && (
      <p>
        <Count of={incomplete} /> {incomplete === 1 ? 'has' : 'have'} an SBOM with more components than are recorded.
        The rest is unknown.
      </p>
    )}
    {unmatched > 0 && (
      <p>
        <strong>
          {formatCount(unmatched)} {unmatched === 1 ? 'component' : 'components'}
        </strong>{' '}
        cannot be compared with vulnerabilities: no package URL that can be read, or an ecosystem that no database has.
      </p>
    )}
    {children}
  </div>
);

const NONE = 'have no SBOM. Nobody knows what they contain.';

const Count = ({ of }: { readonly of: number }) => (
  <strong>
    {formatCount(of)} {of === 1 ? 'artifact' : 'artifacts'}
  </strong>
);
