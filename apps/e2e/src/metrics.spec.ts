import { digest, environment, item, report } from './support/samples';
import { onOneProcess, type World } from './support/world';

async function figures({ operator }: World): Promise<string> {
  const response = await operator.send('GET', '/metrics', undefined, null);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  return response.text();
}

/** The value of a figure; 0 while it is not there. */
function valueOf(text: string, name: string): number {
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1) ?? 0,
  );
}

describe('the figures for Prometheus', () => {
  onOneProcess((world) => {
    const REPORTS = 'assurance_http_request_duration_seconds_count{route="reportDocker",method="PUT",status="2xx"}';
    const APPENDED = 'assurance_event_store_appends_total{outcome="appended"}';

    it('count requests, bytes and commits, by route and outcome', async () => {
      const caller = world().as('member');
      const before = await figures(world());
      const name = await environment(caller);
      await report(caller, name, [item({ web: digest(name) })]);
      await report(caller, name, [item({ web: digest(name) })]);
      const after = await figures(world());
      const more = (figure: string) => valueOf(after, figure) - valueOf(before, figure);
      expect(more(REPORTS)).toBe(2);
      expect(more(APPENDED)).toBeGreaterThanOrEqual(2);
      expect(more('assurance_http_request_bytes_total{route="reportDocker"}')).toBeGreaterThan(100);
      expect(more('assurance_http_response_bytes_total{route="reportDocker"}')).toBeGreaterThan(50);
      expect(valueOf(after, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    });

    it('tell of every consumer how far it is behind, and what it could not digest', async () => {
      const text = await figures(world());
      for (const group of ['ingestion', 'projection']) {
        expect(text).toMatch(new RegExp(`^assurance_feed_lag_commits\\{group="${group}"\\} \\d+$`, 'm'));
        expect(text).toMatch(new RegExp(`^assurance_feed_parked_streams\\{group="${group}"\\} 0$`, 'm'));
        expect(text).toMatch(new RegExp(`^assurance_feed_paused\\{group="${group}"\\} 0$`, 'm'));
      }
    });

    it('tell how much is due', async () => {
      const text = await figures(world());
      for (const queue of ['environments', 'destinations', 'mail']) {
        expect(text).toMatch(new RegExp(`^assurance_due_marks\\{queue="${queue}"\\} \\d+$`, 'm'));
      }
    });

    it('have no label that a caller chose', async () => {
      await fetch(`${world().url}/chosen-by-a-caller`);
      await world().as('member').send('GET', '/environments/acme/chosen-by-a-caller');
      const text = await figures(world());
      expect(text).not.toContain('chosen-by-a-caller');
      expect(text).not.toContain('acme');
      expect(text).toContain('route="none",method="any",status="4xx"');
    });
  });
});
