import { gives } from '../../http/answers/common';
import { route } from '../../http/route';
import { text } from '../../http/shape';

export const changeRoutes = {
  followChanges: route('GET', '/api/v2/changes/{org}', {
    owner: 'gateway',
    permission: 'read',
    tag: 'Changes',
    summary: 'Follow what changes in an organization',
    description:
      'Sends server-sent events until the caller disconnects, the key or session ends, or the service stops. `ready` comes first, then `changed` within seconds of a change, at most once a second. Its data is `{"changed": [{"kind": "environment", "name": "production"}]}`. Kinds are the first words of streams, such as `environment`, `flow`, `trail` (with `flow`), `policy`, `notification`; the name is null if it is unknown. A caller is told only of what its role may read. The connection ends when the role changes. `{"changed": null}` means that too many things changed to list them. Send the id of the last event as `Last-Event-ID` to miss nothing. A comment every 15 s shows that the connection is alive.',
    media: ['text/event-stream'],
    lasting: true,
    answers: gives(
      'Events.',
      text(),
      'event: changed\nid: 7\ndata: {"changed":[{"kind":"environment","name":"production"}]}\n\n',
    ),
    errors: { 429: ['The caller has as many as 50 open connections for changes'] },
  }),
} as const;
