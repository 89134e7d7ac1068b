import { CodeLines } from '../ui';

interface Props {
  readonly label: string;
  readonly text: string;
  readonly help: string;
}

/** A secret that the API shows only once. */
export const Secret = ({ label, text, help }: Props) => (
  <div className="stack" style={{ gap: '0.625rem' }} role="status">
    <p style={{ margin: 0 }}>
      <strong>{label}.</strong> It is shown only now. {help}
    </p>
    <CodeLines text={text} label={label} />
  </div>
);
