import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { Unjudged } from './Unjudged';
import { formatCount, Time } from '../../ui';

interface Props {
  readonly answer: Pick<
    Schemas['VulnerabilityList'],
    'without_sbom' | 'incomplete_sbom' | 'unmatched_components' | 'last_import'
  >;
  /** Which artifacts are counted; the artifact of the page if left out. */
  readonly scope?: ReactNode;
}

/** What a list of vulnerabilities cannot know: artifacts without an SBOM, and vulnerabilities that no imported file contains. */
export const UnknownVulnerabilities = ({ answer, scope }: Props) => {
  const { last_import: last } = answer;
  return (
    <Unjudged answer={answer} scope={scope}>
      {last === null ? (
        <p>
          <strong>No vulnerabilities were imported.</strong> Nobody knows which components are vulnerable.
        </p>
      ) : (
        <p>
          Last import: <bdi>{last.filename}</bdi>, <Time at={last.imported_at} />, with{' '}
          {formatCount(last.vulnerabilities)} {last.vulnerabilities === 1 ? 'vulnerability' : 'vulnerabilities'} and{' '}
          {formatCount(last.statements)} VEX {last.statements === 1 ? 'statement' : 'statements'}. What was published
          later is unknown.
          {last.unread > 0 && <> {formatCount(last.unread)} entries of it could not be read.</>}
          {last.unknown_ecosystems.length > 0 && (
            <> No component is compared with entries of {last.unknown_ecosystems.map(({ name }) => name).join(', ')}.</>
          )}
        </p>
      )}
    </Unjudged>
  );
};
