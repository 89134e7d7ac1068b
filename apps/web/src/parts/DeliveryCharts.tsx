interface Props {
  readonly org: string;
  readonly environment?: string;
  readonly repository?: string;
  readonly days: number;
}

/** How often and how fast an organization deploys. */
export const DeliveryCharts = (_: Props) => null;
