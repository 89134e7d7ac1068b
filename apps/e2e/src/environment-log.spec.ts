import { artifact, digest, environment, flow, item, post, report, repository } from './support/samples';
import { onEveryDeployment } from './support/world';

/** With the byte order mark. */
const HEADER =
  '\uFEFF"reported_at","environment_name","snapshot_index","type","artifact_name","sha256","flows","repo_name","artifact_compliance","snapshot_compliance","description"';

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const log = async (env: string, query = '') => {
    const { status, headers, text } = await caller().send('GET', `/environments/acme/${env}/auditlog?${query}`);
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `attachment; filename="auditlog-${env}.csv"`,
    ]);
    expect(text.endsWith('\r\n')).toBe(true);
    const [header, ...lines] = text.slice(0, -2).split('\r\n');
    expect(header).toBe(HEADER);
    return lines;
  };
  /** Type and name in each line. */
  const columnsOf = (lines: readonly string[]) =>
    lines.map((line) => line.replaceAll('"', '').split(',').slice(3, 5).join(' '));

  /** A history of all kinds of changes; only `web` is of a flow and a repository. */
  const seed = async () => {
    const [env, flowName, info] = [await environment(caller()), await flow(caller()), repository()];
    const [one, two, bare] = ['one', 'two', 'bare'].map((name) => digest(`${env} ${name}`)) as [string, string, string];
    for (const fingerprint of [one, two]) await post(caller(), flowName, artifact(fingerprint, { repo_info: info }));
    const other = item({ 'bare:1': bare }, 0);
    await report(caller(), env, [item({ 'web:1': one }, 0), other]);
    await report(caller(), env, [item({ 'web:2': two }, 0), other]);
    await report(caller(), env, [item({ 'web:2': two }, 0)]);
    return { env, flowName, info, one, two, bare };
  };

  it('has a line for each change, newest first', async () => {
    const { env, flowName, info, one, two, bare } = await seed();
    const lines = await log(env);
    const line = (snapshot: number, change: string, name: string, sha: string, existing: string, words: string) =>
      expect.stringMatching(
        new RegExp(
          `^"20\\d\\d-[-:.T\\d]+Z","${env}",${snapshot},"${change}","${name}","${sha}",${existing},,,"${words}"$`,
        ),
      );
    const provenance = `"${flowName}","${info.name}"`;
    expect(lines).toEqual([
      line(3, 'exited', 'bare:1', bare, '"",', '1 instance stopped running \\(from 1 to 0\\)'),
      line(2, 'changed', 'web:2', two, provenance, '1 instance changed'),
      line(1, 'started', 'bare:1', bare, '"",', '1 instance started running \\(from 0 to 1\\)'),
      line(1, 'started', 'web:1', one, provenance, '1 instance started running \\(from 0 to 1\\)'),
    ]);
  });

  it('is narrowed by types, flows, repositories and times, all together', async () => {
    const { env, flowName, info } = await seed();
    const all = ['exited bare:1', 'changed web:2', 'started bare:1', 'started web:1'];
    const logOf = async (query: string) => columnsOf(await log(env, query));
    expect(await logOf('')).toEqual(all);
    expect(await logOf('event_types=&flow_names=null&repo_names=&from_timestamp=&to_timestamp=null')).toEqual(all);
    expect(await logOf('event_types=started')).toEqual(all.slice(2));
    expect(await logOf('event_types=exited,changed')).toEqual(all.slice(0, 2));
    expect(await logOf('event_types=exited&event_types=changed')).toEqual(all.slice(0, 2));
    expect(await logOf(`flow_names=${flowName}`)).toEqual(['changed web:2', 'started web:1']);
    expect(await logOf('flow_names=no%20provenance')).toEqual(['exited bare:1', 'started bare:1']);
    expect(await logOf(`flow_names=no%20provenance,${flowName}&event_types=started`)).toEqual(all.slice(2));
    expect(await logOf(`repo_names=${encodeURIComponent(info.name)}`)).toEqual(['changed web:2', 'started web:1']);
    expect(await logOf(`repo_names=nobody,${encodeURIComponent(info.name)}&flow_names=nobody`)).toEqual([]);
    const now = Date.now() / 1_000;
    expect(await logOf(`from_timestamp=${now - 600}&to_timestamp=${now + 600}`)).toEqual(all);
    expect(await logOf(`to_timestamp=${now - 600}`)).toEqual([]);
    expect(await logOf(`from_timestamp=${now + 600}`)).toEqual([]);
  });

  it('keeps spreadsheets from running names, and lines from breaking', async () => {
    const env = await environment(caller());
    const names = ['=cmd|"a",b', '\n=1+1', '＝1+1', 'ü'];
    await report(
      caller(),
      env,
      names.map((name) => item({ [name]: digest(`${env} ${name}`) }, 0)),
    );
    const lines = await log(env);
    const cells = [`"'=cmd|""a"",b"`, `"'\n=1+1"`, `"'＝1+1"`, '"ü"'];
    for (const cell of cells) expect(lines.filter((line) => line.includes(`,"started",${cell},`))).toHaveLength(1);
  });

  it('is whole however long it is', async () => {
    const env = await environment(caller());
    const names = Array.from({ length: 700 }, (_, i) => `app-${String(i).padStart(3, '0')}:1`);
    await report(
      caller(),
      env,
      names.map((name) => item({ [name]: digest(`${env} ${name}`) }, 0)),
    );
    await report(caller(), env, []);
    const lines = columnsOf(await log(env));
    const sorted = (type: string) => names.map((name) => `${type} ${name}`);
    expect(lines).toEqual([...sorted('exited'), ...sorted('started')]);
    expect(columnsOf(await log(env, 'event_types=started'))).toEqual(sorted('started'));
    const empty = await environment(caller());
    expect(await log(empty)).toEqual([]);
  });

  it.each([
    ['event_types=stopped', 'event_types'],
    ['from_timestamp=2&to_timestamp=1', 'from_timestamp'],
    ['from_timestamp=x', 'from_timestamp'],
    ['start_ts=1', 'start_ts'],
  ])('refuses %s by name', async (query, field) => {
    const env = await environment(caller());
    const { errors } = await caller().refused(400, 'GET', `/environments/acme/${env}/auditlog?${query}`);
    expect(Object.keys(errors ?? {})).toEqual([field]);
  });

  it('is of environments that are there', async () => {
    await caller().refused(404, 'GET', '/environments/acme/nobody/auditlog');
  });
});
