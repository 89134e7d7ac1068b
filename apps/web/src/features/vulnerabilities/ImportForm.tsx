import { send, type Schemas } from '../../api/client';
import { ApiError } from '../../api/error';
import { formatCount } from '../../ui';
import { FileInput, Select } from '../../ui/Fields';
import { FormDialog } from '../../ui/FormDialog';

const FILE = 'attachment_file';

const FORMATS = [
  ['', 'The file tells'],
  ['osv', 'OSV'],
  ['openvex', 'OpenVEX'],
  ['cyclonedx', 'CycloneDX VEX'],
] as const;

type ImportResult = Schemas['ImportedVulnerabilities'];

/** A button for administrators that imports a file of vulnerabilities or VEX statements. */
export const ImportForm = () => (
  <FormDialog
    trigger="Import"
    look="main"
    title="Import vulnerabilities"
    does="Import"
    onSubmit={async (values, org) => <Outcome imported={await importFile(values, org)} />}
  >
    <p>
      OSV (one entry, a list, or one entry a line), OpenVEX or CycloneDX with vulnerabilities; at most 32 MiB. Nothing
      of a file is recorded unless all of it can be read. Operators import dumps of any size.
    </p>
    <FileInput name={FILE} label="File" accept=".json,.jsonl,.ndjson,application/json" />
    <Select name="format" label="Format" options={FORMATS} value="" />
  </FormDialog>
);

async function importFile(values: FormData, org: string): Promise<ImportResult> {
  const form = new FormData();
  const format = String(values.get('format'));
  form.set('data_json', JSON.stringify(format === '' ? {} : { format }));
  form.set(FILE, values.get(FILE) ?? '');
  try {
    const answer = await send(`/vulnerabilities/${encodeURIComponent(org)}`, { method: 'POST', body: form });
    return (await answer.json()) as ImportResult;
  } catch (fault) {
    const problem = fault instanceof ApiError ? fault.fields[FILE] : undefined;
    if (!(fault instanceof ApiError) || problem === undefined) throw fault;
    // No field of the form shows this error, so it is shown below the form.
    throw new ApiError(fault.status, `Nothing was imported. The file cannot be read: ${problem}`, {}, fault.requestId);
  }
}

const Outcome = ({
  imported: { imported, filename, vulnerabilities, statements },
}: {
  readonly imported: ImportResult;
}) => (
  <p role="status">
    {imported ? (
      <>
        <strong>Imported</strong> <bdi>{filename}</bdi> with
      </>
    ) : (
      <>
        <bdi>{filename}</bdi> was imported before. Nothing changed. It has
      </>
    )}{' '}
    {formatCount(vulnerabilities)} {vulnerabilities === 1 ? 'vulnerability' : 'vulnerabilities'} and{' '}
    {formatCount(statements)} VEX {statements === 1 ? 'statement' : 'statements'}.
  </p>
);
