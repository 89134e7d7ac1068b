import { useRouteError } from 'react-router';
import { Button, Failure } from '../ui';

/** What went wrong on the way to a page; a page that a newer release has replaced is there after a reload. */
export const RouteFailure = () => (
  <main>
    <Failure fault={useRouteError()} />
    <p className="line" style={{ justifyContent: 'center' }}>
      <Button onPress={() => location.reload()}>Load the page again</Button>
    </p>
  </main>
);
