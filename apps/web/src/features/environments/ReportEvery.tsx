import { TextInput } from '../../ui/Fields';

/** How often reports are expected, in seconds. */
export const ReportEvery = ({ value = null }: { readonly value?: number | null }) => (
  <TextInput
    name="report_every"
    label="Seconds between reports"
    type="number"
    value={value === null ? '' : String(value)}
    help="Without a report for longer, it is late. Empty: learned from its reports."
  />
);

/** The value of the field in the form of the API. */
export const reportEveryOf = (values: FormData) => ({ report_every: Number(values.get('report_every') ?? 0) });
