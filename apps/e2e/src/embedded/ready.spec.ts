import { once } from 'node:events';
import { connect } from 'node:net';
import { keyOf } from '../support/declared';
import { eventually } from '../support/eventually';
import { Installation, type RunningRoles } from '../support/installation';
import { notExported, runbookUrls } from '../support/observability';

describe('whether a service is ready', () => {
  let installation: Installation;
  let served: RunningRoles;
  beforeEach(async () => {
    installation = new Installation({ ASSURANCE_BACKUP_EVERY_SECONDS: '3600', ASSURANCE_LOG_LEVEL: 'silent' });
    served = await installation.start();
  });
  afterEach(async () => {
    await installation.clear();
  });

  const ready = async (url: string) => {
    const answer = await fetch(`${url}/ready`);
    return [answer.status, await answer.text()];
  };

  it('names the consumers that met a commit of a newer release, and why they stopped', async () => {
    const newer = { type: 'ThoughtOfLater', version: 1, digest: '', size: 2, data: '{}' };
    const place = { id: 'newer', org: 'org', stream: 'thought/newer', seq: 1, at: 1, prev: null };
    const commit = { ...place, actor: 'actor', correlation: 'correlation', events: [newer] };
    expect(await served.engines.events.append(commit)).toBe('appended');
    const why =
      'thought/newer#1 holds ThoughtOfLater v1, which this version of the service does not know: a newer one wrote it';
    const groups = ['ingestion', 'projection', 'notification-dispatcher'].map(
      (group) => `the consumer ${group} is paused: ${why}`,
    );
    const results = await eventually(
      () => ready(served.operations.url),
      ([, text]) => String(text).split('; ').length === groups.length,
    );
    expect([results[0], String(results[1]).split('; ').sort()]).toEqual([503, groups.sort()]);
    expect(await ready(served.url)).toEqual(results);
    const figures = await (await fetch(`${served.operations.url}/metrics`)).text();
    expect(figures.match(/^assurance_feed_paused\{group="[\w-]+"\} 1$/gm)).toHaveLength(groups.length);
  });

  it('reports the shutdown while requests end', async () => {
    expect(await ready(served.url)).toEqual([200, 'OK']);
    const body = JSON.stringify({ name: 'slow', type: 'docker' });
    const slow = connect(served.port, '127.0.0.1');
    const heard = async () => String((await once(slow, 'data'))[0]);
    const head = ['PUT /api/v2/environments/acme HTTP/1.1', 'host: x', `authorization: Bearer ${keyOf('member')}`];
    const results = ['content-type: application/json', `content-length: ${body.length}`, 'expect: 100-continue'];
    slow.write([...head, ...results, '', ''].join('\r\n'));
    // From then on it is under way.
    expect(await heard()).toMatch(/^HTTP\/1.1 100 /);
    const closed = served.close();
    expect(await ready(served.operations.url)).toEqual([503, 'the service is shutting down']);
    slow.write(body);
    expect(await heard()).toMatch(/^HTTP\/1.1 201 /);
    slow.destroy();
    await closed;
  });

  it('comes with metrics of the writer’s queue', async () => {
    const text = await (await fetch(`${served.operations.url}/metrics`)).text();
    for (const figure of ['operations', 'bytes']) {
      for (const lane of ['heads', 'commits', 'views']) {
        expect(text).toMatch(new RegExp(`^assurance_write_queue_${figure}\\{lane="${lane}"\\} \\d+$`, 'm'));
      }
    }
  });

  it('comes with all metrics that alerts and dashboards ask for, but those of MongoDB and Kafka', async () => {
    const report = { method: 'PUT', body: '{}' };
    await fetch(`${served.url}/api/v2/environments/acme/production/report/docker`, report);
    const missing = await notExported([served.operations]);
    expect(missing).toEqual(['assurance_kafka_reachable', 'assurance_relay_active', 'assurance_relay_lag_seconds']);
  });

  it('serves the runbook that each alert leads to, without a key', async () => {
    const urls = runbookUrls();
    expect(urls.length).toBeGreaterThan(15);
    for (const { pathname, hash } of urls) {
      const page = await fetch(`${served.url}${pathname}`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain(` id="${hash.slice(1)}"`);
    }
  });

  it('comes with metrics of the disk, the database and checkpoints', async () => {
    const text = await (await fetch(`${served.operations.url}/metrics`)).text();
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    expect(figure('assurance_data_disk_bytes\\{kind="size"\\}')).toBeGreaterThan(
      figure('assurance_data_disk_bytes\\{kind="free"\\}'),
    );
    expect(figure('assurance_data_file_bytes\\{file="database"\\}')).toBeGreaterThan(0);
    expect(figure('assurance_data_file_bytes\\{file="log"\\}')).toBeGreaterThan(0);
    expect(figure('assurance_checkpoint_age_seconds')).toBeLessThan(60);
  });
});
