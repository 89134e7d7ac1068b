import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { whenConnected } from '../api/connection';
import { ApiError } from '../api/error';
import { Button, Failure, isUnloaded } from '../ui';

/** Key of the time at which this tab last reloaded a page by itself. */
const RELOADED = 'assurance-reloaded';
/** A page that fails again within this time (milliseconds) is not reloaded again. */
const RELOAD_PAUSE = 30_000;

/** The error page of a route. It reloads the page by itself if that helps: after an update, and when the service answers again. */
export function RouteFailure() {
  const fault = useRouteError();
  useEffect(() => {
    if (isUnloaded(fault)) void reloadAfterUpdate();
    return isUnloaded(fault) || (fault instanceof ApiError && fault.status === 0)
      ? whenConnected(() => location.reload())
      : undefined;
  }, [fault]);
  return (
    <main>
      <Failure fault={fault} />
      <p className="line" style={{ justifyContent: 'center' }}>
        <Button onPress={() => location.reload()}>Load the page again</Button>
      </p>
    </main>
  );
}

/** If the service answers but a file of the page is missing, a newer release has replaced the files. */
async function reloadAfterUpdate(): Promise<void> {
  const answers = await fetch(document.baseURI, { cache: 'no-store', headers: { Accept: 'text/html' } }).catch(
    () => null,
  );
  if (answers?.ok !== true || Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_PAUSE) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}
