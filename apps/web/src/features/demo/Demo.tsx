import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { API, api, PAGE, query } from '../../api/client';
import { ApiError } from '../../api/error';
import { sessionQuery, useOrg, useSession } from '../../api/session';
import { pageIn } from '../../app/paths';
import { Button, Failure, formatShare } from '../../ui';
import { FINISHED } from './finished-tag.ts';

/** The link to an organization with an invented history. If it does not exist, it is created. */
export function Demo() {
  const name = `${useOrg()}-demo`;
  const { organizations } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [part, setPart] = useState<number | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const isThere = organizations.some((organization) => organization.name === name);
  const isFinished = useFinished(name, isThere);
  if (part === null && isThere && isFinished === undefined) return null;
  if (part === null && isThere && isFinished) {
    return (
      <p style={{ margin: 0 }}>
        <Link to={pageIn(name)}>Look at the demo</Link>
      </p>
    );
  }
  const make = async () => {
    setPart(0);
    setFault(null);
    try {
      const { response } = await api.POST('/organizations', { body: { name } });
      const { makeDemo } = await import('./make.ts');
      await makeDemo({ api: API, headers: PAGE, org: name, isNew: response.status === 201 }, setPart);
      await client.invalidateQueries(sessionQuery);
      await navigate(pageIn(name));
    } catch (error) {
      setFault(error);
      setPart(null);
    }
  };
  return (
    <>
      <p className="line" style={{ margin: 0 }}>
        <Button isDisabled={part !== null} onPress={() => void make()}>
          {isThere ? 'Finish the demo' : 'Look at a demo'}
        </Button>
        <span className="small quiet" role="status">
          {part === null
            ? isThere
              ? `Making ${name} may have ended early. It goes on where it ended.`
              : 'It makes another organization with 60 days of a made-up shop. Only an operator can erase it.'
            : `Making ${name}: ${formatShare(Math.floor(part * 100) / 100)}`}
        </span>
      </p>
      {fault !== null && <Failure fault={fault} />}
    </>
  );
}

/** Whether an existing demo is complete; undefined while this is not known. */
function useFinished(org: string, isThere: boolean): boolean | undefined {
  const { data, error } = query.useQuery(
    'get',
    '/environments/{org}/{env}',
    { params: { path: { org, env: 'demo-production' } } },
    {
      enabled: isThere,
      throwOnError: (fault: unknown) => !(fault instanceof ApiError && fault.status === 404),
    },
  );
  if (error !== null) return false;
  return data === undefined ? undefined : data.tags['demo'] === FINISHED.demo;
}
