import { useRouteError } from 'react-router';
import { Button, Failure } from '../ui';

/** The error page of a route. A reload helps if a newer release has replaced the files of the page. */
export const RouteFailure = () => (
  <main>
    <Failure fault={useRouteError()} />
    <p className="line" style={{ justifyContent: 'center' }}>
      <Button onPress={() => location.reload()}>Load the page again</Button>
    </p>
  </main>
);
