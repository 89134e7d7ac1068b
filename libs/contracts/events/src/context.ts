/** The owner of a pod: a Kubernetes OwnerReference. */
export interface PodOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Details of an instance that some kinds of reports contain besides digest and time. They are recorded and shown, but never compared. */
export type InstanceContext =
  | {
      readonly of: 'pod';
      readonly pod: string;
      readonly namespace: string;
      readonly owners: readonly PodOwner[] | null;
    }
  | {
      readonly of: 'task';
      readonly arn: string;
      readonly cluster: string | null;
      readonly service: string | null;
    }
  | {
      readonly of: 'azure-app';
      readonly app: string;
      readonly kind: string;
      readonly digestsSource: string;
    }
  | {
      readonly of: 'cloud-run';
      readonly kind: 'service' | 'job';
      readonly service: string | null;
      readonly revision: string | null;
      readonly job: string | null;
    };
